import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { describeOneEngine, type Engine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { openList } from '../../fixture/streams/openList';

const JOBS = '/api/v1/jobs.php';
const ROWS = 100;
const LONG = 150_000;
const HEAP_MB = 70;
const SHORT_ROWS = 2000;
/** Long rows have higher ids. */
const FIRST_LONG = 10_000;

const repeated: Readonly<Record<Engine, string>> = {
  mariadb: `REPEAT('long text ', ${LONG / 10})`,
  postgresql: `REPEAT('long text ', ${LONG / 10})`,
  sqlite: `REPLACE(HEX(ZEROBLOB(${LONG / 10})), '00', 'long text ')`,
};

/** Creates jobs with long errors, no two of them the same. */
async function createWideTable(knex: Knex, engine: Engine): Promise<void> {
  await knex.schema.createTable('jobs', (table) => {
    table.increments('id');
    table.string('type');
    table.text('error', 'longtext');
  });
  for (let row = 0; row < ROWS; row += 1) {
    await knex('jobs').insert({
      id: FIRST_LONG + row,
      type: 'deploy',
      error: knex.raw(`CONCAT(${row}, ' ', ${repeated[engine]})`),
    });
  }
}

describeOneEngine(`Rows of ${LONG / 1000} KB in a process with a heap of ${HEAP_MB} MB`, (engine) => {
  let database: TestDatabase;
  let host: HostProcess;
  let token: string;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await createWideTable(database.knex, engine);
    const actor = { column: 'error', values: { root: '1' } } as const;
    const status = { column: 'error', values: { ok: 'succeeded' }, otherwise: 'failed' } as const;
    host = await startHost(database, {
      options: {
        sources: {
          jobs: { fields: { status, actor, target_type: actor, target_id: actor, account_id: actor } },
        },
        deadlineMs: 30_000,
      },
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
    });
    ({ token } = await host.create());
  });

  /** The length and the end of an answer, which may be too long to be kept. */
  const read = async (query: string, by = token) => {
    const { response } = await openList(`${host.url}${JOBS}${query}`, by);
    let [bytes, end] = [0, ''];
    for await (const chunk of response as AsyncIterable<Buffer> & IncomingMessage) {
      bytes += chunk.length;
      end = (end + chunk.toString('latin1', Math.max(0, chunk.length - 300))).slice(-300);
    }
    const next = /"next_cursor":(null|")/.exec(end)?.[1];
    return [response.statusCode, response.complete, Math.round(bytes / LONG), next];
  };

  test('are sent as whole lists and as pages, several at once', async () => {
    const queries = ['', '?limit=1000', `?limit=${ROWS - 1}`, ''];
    expect(await Promise.all(queries.map((query) => read(query)))).toEqual([
      [200, true, ROWS, undefined],
      [200, true, ROWS, 'null'],
      [200, true, ROWS - 1, '"'],
      [200, true, ROWS, undefined],
    ]);
  });

  test('are searched for unmapped words', async () => {
    const asked = Array.from({ length: 4 }, () => host.get('/api/v1/release-audit.php', token));
    for (const { status, body } of await Promise.all(asked)) {
      const jobs = body.data.checks.find(({ id }: { id: string }) => id === 'source_jobs');
      expect([status, jobs.detail]).toEqual([200, expect.stringContaining('(field actor)')]);
    }
  });

  test('are sent after short ones, even if a read was sized by the length of those', async () => {
    const short = Array.from({ length: SHORT_ROWS }, (_, id) => ({ id: id + 1, type: 'deploy', error: 'x' }));
    await database.knex.batchInsert('jobs', short, 500);
    const tokens = await Promise.all(Array.from({ length: 4 }, async () => (await host.create()).token));
    const page = async (query: string) => {
      const { body } = await host.get(`${JOBS}?${query}`, token);
      return body.data.next_cursor;
    };
    const cursor = await page(`limit=1000&cursor=${await page('limit=900')}`);
    const pages = tokens.map((by, index) => read(`?limit=${1000 - index}&cursor=${cursor}`, by));
    expect((await Promise.all(pages)).map(([status, whole]) => [status, whole])).toEqual(
      tokens.map(() => [200, true]),
    );
    const lists = await Promise.all(tokens.map((by) => read('', by)));
    expect(lists.map(([status, whole]) => [status, whole])).toEqual(tokens.map(() => [200, true]));
  });
});
