import type { Knex } from 'knex';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';

interface Client {
  _query(connection: unknown, statement: { sql: string }): Promise<unknown>;
}

/** A handle whose statements are rewritten before they are sent, and the look-ups among them. */
function rewritingHandle(database: TestDatabase, rewrite: (sql: string) => string) {
  const knex: Knex = openHandle(handleSettings(database));
  const client: Client = knex.client;
  const send = client._query;
  const lookUps: string[] = [];
  client._query = function (connection, statement) {
    statement.sql = rewrite(statement.sql);
    if (statement.sql.includes('`token`.`hash` in')) lookUps.push(statement.sql);
    return send.call(this, connection, statement);
  };
  return { knex, lookUps };
}

// The servers of the tests are in no cluster, but they know its variables. test/cluster has the tests on a real one.
describe('A look-up on MariaDB', () => {
  let isNode: boolean;
  let lookUps: string[];
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    const handle = rewritingHandle(await freshDatabase('mariadb'), (sql) =>
      isNode ? sql.replace('@@wsrep_on', '1') : sql,
    );
    lookUps = handle.lookUps;
    panel = await startPanel({ db: handle.knex });
    token = await panel.token();
  });

  /** Whether each look-up of one request waited for what was committed on other nodes. */
  const waits = async () => {
    lookUps.length = 0;
    expect((await panel.get(ME, token)).status).toBe(200);
    return lookUps.map((sql) => sql.includes('wsrep_sync_wait = 1'));
  };

  test('does not wait for other nodes if the server is in no cluster', async () => {
    isNode = false;
    expect(await waits()).toEqual([false]);
  });

  test('is repeated with the wait as soon as the server is a node, and then waits at once', async () => {
    isNode = true;
    expect(await waits()).toEqual([false, true]);
    expect(await waits()).toEqual([true]);
  });

  test('waits no more when the server is a node no more', async () => {
    isNode = false;
    expect(await waits()).toEqual([true]);
    expect(await waits()).toEqual([false]);
  });
});

test('A MariaDB that is built without clusters serves requests and changes, and its look-up asks once', async () => {
  // The server refuses the names of variables that it does not know.
  const { knex, lookUps } = rewritingHandle(await freshDatabase('mariadb'), (sql) =>
    sql.replace('wsrep_', 'absent_'),
  );
  const panel = await startPanel({ db: knex });
  const token = await panel.token();
  for (let request = 0; request < 2; request += 1) expect((await panel.get(ME, token)).status).toBe(200);
  expect(lookUps.map((sql) => sql.includes('absent_on'))).toEqual([true, false, false]);
});
