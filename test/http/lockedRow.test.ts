import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { freshDatabase, isMysql, type TestDatabase } from '../fixture/databases';
import { gatheringSwitch } from '../fixture/gatheringSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import '../fixture/tryAgain';

const ME = '/api/v1/me.php';
const TOKENS = 12;

// SQLite locks no rows.
describe.each(['mariadb', 'postgresql'] as const)(
  'While another transaction holds a row locked (%s)',
  (engine) => {
    const door = gatheringSwitch();
    // MySQL has no lock wait per statement, so requests that came together wait together.
    const waits = engine === 'mariadb' && isMysql;
    let database: TestDatabase;
    let panel: TestPanel;
    let holder: Knex.Transaction;

    beforeAll(async () => {
      database = await freshDatabase(engine);
      const rateLimit = { requests: 1000, windowSeconds: 86_400 };
      panel = await startPanel({ db: database.knex, enabled: door.enabled, rateLimit, deadlineMs: 5000 });
    });

    afterEach(() => holder?.rollback());

    /** The tokens. The row of the seventh is locked. */
    const startHolding = async (table = 'panel_api_rate_limits', column = 'token_id') => {
      const made = await Promise.all(
        Array.from({ length: TOKENS }, () =>
          panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR),
        ),
      );
      const held = made[6]!;
      await panel.get(ME, held.token);
      holder = await database.knex.transaction();
      await holder(table)
        .where({ [column]: held.record.id })
        .forUpdate();
      return { held: held.token, others: made.filter((one) => one !== held).map(({ token }) => token) };
    };

    const together = (tokens: readonly string[]) => {
      door.gather(tokens.length);
      const answers = tokens.map((token) => panel.get(ME, token));
      // Later requests wait for no others.
      void Promise.race(answers).then(() => door.gather(1));
      return answers;
    };
    const statuses = async (answers: readonly ReturnType<TestPanel['get']>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);

    test('of panel_api_tokens, all requests are answered', async () => {
      const { held, others } = await startHolding('panel_api_tokens', 'id');
      expect(await statuses(together([held, ...others]))).toEqual([held, ...others].map(() => 200));
    });

    describe('of panel_api_rate_limits', () => {
      if (!waits)
        test('requests of other tokens that came with its own are answered', async () => {
          const { held, others } = await startHolding();
          const [own, ...rest] = together([held, ...others]);
          expect(await statuses(rest)).toEqual(others.map(() => 200));
          expect(await Promise.race([own, Promise.resolve('still waiting')])).toBe('still waiting');
          await holder.rollback();
          expect((await own)?.status).toBe(200);
        });

      if (waits)
        test('on MySQL, requests that came with its own get 503 after the deadline', async () => {
          const { held, others } = await startHolding();
          expect(await statuses(together([held, ...others]))).toEqual([held, ...others].map(() => 503));
          await holder.rollback();
          expect(await statuses(together([held, ...others]))).toEqual([held, ...others].map(() => 200));
        });

      if (!waits)
        test('its own requests do not delay others, and get 503 after the deadline', async () => {
          const { held, others } = await startHolding();
          const own: ReturnType<TestPanel['get']>[] = [];
          for (const other of others) {
            // One after another, so that each is in its own batch.
            own.push(panel.get(ME, held), panel.get(ME, held));
            expect((await panel.get(ME, other)).status).toBe(200);
          }
          expect(await statuses(own)).toEqual(own.map(() => 503));
          await holder.rollback();
          expect((await panel.get(ME, held)).status).toBe(200);
        });

      test('its own requests query it one after another, for any number of requests', async () => {
        const { held } = await startHolding();
        const own = [panel.get(ME, held)];
        // From then on the row is known to be locked.
        await sleep(1200);
        let statements = 0;
        const note = ({ sql }: { sql: string }) => {
          if (/\b(?:update|insert into)\b/i.test(sql)) statements += 1;
        };
        database.knex.on('query', note);
        for (let request = 0; request < 20; request += 1) {
          own.push(panel.get(ME, held));
          await sleep(25);
        }
        database.knex.off('query', note);
        // One loop pauses for 32 milliseconds on average, so twenty loops would query hundreds of times.
        expect(statements).toBeLessThan(80);
        await holder.rollback();
        expect(await statuses(own)).toEqual(own.map(() => 200));
      });

      if (!waits)
        test('each of its requests is counted once', async () => {
          const { held, others } = await startHolding();
          const answers = together([held, held, ...others]);
          await Promise.all(answers.slice(2));
          await holder.rollback();
          const bodies = await Promise.all(answers);
          const left = bodies.map(({ body }) => body.data.rate_limit.remaining);
          expect(left.slice(0, 2).toSorted()).toEqual([997, 998]);
          expect(left.slice(2)).toEqual(others.map(() => 999));
        });
    });
  },
);
