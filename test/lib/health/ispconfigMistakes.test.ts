import load from '../../../demo/ispconfig/load';
import ispconfigSources from '../../../demo/ispconfig/sources';
import type { Sources } from '../../../index';

import { checkSources } from '../../fixture/command/checkSources';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';

type List = keyof ReturnType<typeof ispconfigSources>;

/** A field of a list in ISPConfig (`list.field`, or `list.part.field`), a wrong description, and what `check` says of it. */
const MISTAKES: readonly (readonly [place: string, wrong: unknown, code: string, sentence: string])[] = [
  ['accounts.0.status', 'c.locked', 'word', '"n" in the row 10, "y"'],
  ['accounts.0.owner_id', { column: 'c.parent_client_id', part: 0 }, 'reference', 'say `null: 0`'],
  ['accounts.0.disk_limit_bytes', { column: 'c.limit_web_quota', null: -1 }, 'unit', 'say the unit'],
  ['accounts.0.created_at', { column: 'c.created_at', time: 'unix-ms' }, 'time_early', "say `time: 'unix'`"],
  ['accounts.1.two_factor_enabled', { column: 'u.otp_type', true: 1 }, 'word_unused', 'the value of `true`'],
  ['domains.0.account_id', 'w.sys_groupid', 'reference_column', 'the column w.sys_groupid, whose name says'],
  ['domains.0.type', 'w.type', 'word', 'primary, addon, subdomain, alias'],
  ['websites.account_id', 'w.server_id', 'reference_column', "the column of the account's id"],
  ['websites.ip_addresses', 'w.ip_address', 'address', 'no IP address'],
  ['email.1.type', 'f.type', 'word', '"forward"'],
  [
    'email.0.status',
    { cases: [{ when: { 'u.postfix': 0 }, is: 'suspended' }], otherwise: 'active' },
    'word_unused',
    'no row has a word',
  ],
  ['databases.engine', 'd.type', 'word', '"mongo" in the row 3'],
  ['ssl.type', 'w.ssl_letsencrypt', 'word', 'acme, custom, self_signed'],
  ['backups.0.website_id', { column: 'b.parent_domain_id', null: 0 }, 'reference', '"99" in the row 30'],
  ['backups.0.finished_at', { column: 'b.tstamp', time: 'unix-ms' }, 'time_early', '1970-01-21'],
  ['cron.schedule', 'c.run_min', 'schedule', 'five fields'],
  ['cron.enabled', { column: 'c.active', true: 1 }, 'word_unused', 'false for every row'],
];

describe('A mistake in the mapping of ISPConfig is named by panel-api check', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase('mariadb');
    await load(database.knex);
  });

  test.each(MISTAKES)('%s: %j', async (place, description, code, sentence) => {
    const { knex } = database;
    const right = ispconfigSources(knex);
    const names = place.split('.');
    const [list, part, name] = names.length === 3 ? names : [names[0], '0', names[1]];
    const parts = [right[list as List]].flat().map((one, index) => {
      const { fields } = one as { fields: object };
      return String(index) === part ? { ...one, fields: { ...fields, [String(name)]: description } } : one;
    });
    const { accounts, websites, domains } = right;
    const wrong = { accounts, websites, domains, [String(list)]: parts } as unknown as Sources;
    const found = await checkSources({ db: knex, sources: wrong });
    const warnings = found.find(({ resource }) => resource === list)?.warnings ?? [];
    expect(warnings).toContainEqual({ code, field: name, sentence: expect.stringContaining(sentence) });
    // What one mistake causes is about its field alone.
    expect(warnings.filter(({ field }) => field !== name)).toEqual([]);
  });
});
