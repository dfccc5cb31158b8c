import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { gatheringSwitch } from '../../fixture/gatheringSwitch';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

type Rows = readonly Record<string, unknown>[];

interface Client {
  _query(connection: unknown, statement: { sql: string; response?: Rows }): Promise<unknown>;
}

/** Changes the rows that the database returns for look-ups while `rows` is set. */
function forgeLookUps(knex: Knex): { rows?: (rows: Rows) => Rows } {
  const forge: { rows?: (rows: Rows) => Rows } = {};
  const client: Client = knex.client;
  const send = client._query;
  client._query = async function (connection, statement) {
    const sent = await send.call(this, connection, statement);
    if (forge.rows && /as `setting`/i.test(statement.sql))
      statement.response = forge.rows(statement.response ?? []);
    return sent;
  };
  return forge;
}

const withoutHash = (row: Record<string, unknown>) => ({ ...row, hex: undefined });

describe('A look-up whose answer says nothing about the token', () => {
  /** Starts a panel, and returns how to send requests for which the rows of the look-up are changed. */
  const start = async (options: Parameters<typeof startPanel>[0]) => {
    const forge = forgeLookUps(options.db);
    const panel = await startPanel(options);
    const send = async (tokens: readonly (string | undefined)[], rows?: (rows: Rows) => Rows) => {
      if (rows) forge.rows = rows;
      const answers = await Promise.all(tokens.map((token) => panel.get(ME, token)));
      delete forge.rows;
      return answers.map(({ status }) => status);
    };
    return { panel, send };
  };

  test.each<[string, (rows: Rows) => Rows]>([
    ['no row', () => []],
    ['a row without the hash', (rows) => rows.map(withoutHash)],
  ])('because it has %s is answered 503, and the log names it', async (_what, rows) => {
    const { panel, send } = await start({ db: (await freshDatabase('sqlite')).knex });
    expect(await send([await panel.token()], rows)).toEqual([503]);
    const [line] = await panel.requestLines(1);
    expect(line?.fields).toMatchObject({ cause: 'UNKNOWN_ANSWER', cause_query: 'tokens.lookup' });
  });

  test('of two is answered 503 for both that share it', async () => {
    const door = gatheringSwitch();
    const { knex } = await freshDatabase('sqlite');
    const { panel, send } = await start({ db: knex, enabled: door.enabled });
    const tokens = [await panel.token(), await panel.token()];
    door.gather(2);
    expect(await send(tokens, ([first = {}, ...rest]) => [first, ...rest.map(withoutHash)])).toEqual([
      503, 503,
    ]);
    expect(await send(tokens)).toEqual([200, 200]);
  });

  test('is answered 503 without a token, too, and 401 if it has a row', async () => {
    const { panel, send } = await start({ db: (await freshDatabase('sqlite')).knex, ...OWN_SWITCH });
    await panel.api.settings.enable(AUTHOR);
    expect(await send([undefined], () => [])).toEqual([503]);
    expect(await send([undefined])).toEqual([401]);
  });
});

describeEachEngine('A look-up while no setting is stored', (engine) => {
  const start = async (options: Partial<Parameters<typeof startPanel>[0]>) => {
    const { knex } = await freshDatabase(engine);
    const panel = await startPanel({ db: knex, ...options });
    const token = await panel.token();
    await knex('panel_api_settings').delete();
    const sent: string[] = [];
    knex.on('query', ({ sql }: { sql: string }) => /as .setting/.test(sql) && sent.push(sql));
    const ask = async () => (await panel.get(ME, token)).body.error?.code ?? 'answered';
    return { panel, sent, ask };
  };

  test('finds the token if a mount option turns the API on, with one statement for each request', async () => {
    const { panel, sent, ask } = await start({ enabled: true });
    expect([await ask(), await ask(), await ask()]).toEqual(['answered', 'answered', 'answered']);
    expect(sent).toHaveLength(3);
    await panel.api.settings.change({ rateLimitRequests: 1000 }, AUTHOR);
    expect([await ask(), await ask()]).toEqual(['answered', 'answered']);
    expect(sent).toHaveLength(5);
    expect(sent[4]?.length).toBeLessThan(Number(sent[3]?.length));
  });

  test('says that the API is off, until the switch is stored', async () => {
    const { panel, ask } = await start(OWN_SWITCH);
    expect([await ask(), await ask()]).toEqual(['api_disabled', 'api_disabled']);
    await panel.api.settings.enable(AUTHOR);
    expect([await ask(), await ask()]).toEqual(['answered', 'answered']);
  });
});
