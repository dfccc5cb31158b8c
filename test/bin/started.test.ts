import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';
import { createPanelTables } from '../fixture/panelTables';
import { commandNames } from '../fixture/referenceTables/command';

/** A run of each command in the order in which they follow each other, and the first line that it prints. */
const RUNS: readonly (readonly [words: string, options: string, line: RegExp])[] = [
  ['migrate', '', /^Applied /],
  ['enable', '', /^The switch of the API is on\.$/],
  ['token create', '--name billing --scope * --expires 90d', /^pnl_\w{46}$/],
  ['token list', '', /^ID +NAME /],
  ['token show', '1', /^id +1$/],
  ['token edit', '1 --name other', /^id +1$/],
  ['token extend', '1 --expires never', /^Token 1 \(other\) never expires\.$/],
  ['token duplicate', '1', /^pnl_\w{46}$/],
  ['token rotate', '1', /^pnl_\w{46}$/],
  ['token revoke', '1', /^Token 1 \(other\) is revoked\.$/],
  ['settings', '', /^NAME +VALUE /],
  ['settings set', 'rate_limit_requests 7', /^The setting rate_limit_requests is 7\.$/],
  ['audit', '', /^ID +TIME /],
  ['status', '', /^api +on$/],
  ['check', '', /^RESOURCE +STATE /],
  ['show', 'accounts', /^No row matches\.$/],
  ['openapi', '', /^\{$/],
  ['disable', '', /^The switch of the API is off\.$/],
];

describe('a process of panel-api', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
    await createPanelTables(database.knex);
  });

  test.each(RUNS)('%s %s prints its result, and ends with 0', async (words, options, line) => {
    const args = [...words.split(' '), ...options.split(' ').filter(Boolean)];
    const { code, stdout } = await database.start(args);
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(line)]);
  });

  test('is started for every command that there is', () => {
    expect(RUNS.map(([words]) => words).toSorted()).toEqual(commandNames.toSorted());
  });
});
