import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { startPanel } from '../../fixture/panel';

describeEachEngine('A BEGIN whose answer is lost', (engine) => {
  test('leaves no transaction open, and the next change succeeds', async () => {
    const database = await freshDatabase(engine);
    const panel = await startPanel({ db: database.knex });
    // This creates the tables.
    await panel.token();
    const { client } = database.knex;
    const send = client._query;
    let lost = 0;
    client._query = async function (connection: unknown, statement: { sql: string }) {
      const answer = await send.call(this, connection, statement);
      if (!/\b(?:BEGIN|START TRANSACTION)\b/.test(statement.sql) || lost > 0) return answer;
      lost += 1;
      throw new Error('The answer is lost.');
    };
    await expect(panel.token()).rejects.toThrow('tokens.create failed');
    expect(lost).toBe(1);
    await expectIdle(database);
    await panel.token();
    expect(await panel.api.tokens.list()).toHaveLength(2);
  });
});
