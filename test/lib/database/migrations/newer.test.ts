import { panelApiHere } from '../../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, shareOf, type TestDatabase } from '../../../fixture/databases';
import { schemaOf } from '../../../fixture/migrations/schemaOf';
import { startPanel } from '../../../fixture/panel';
import { startSectionPanel, wordsOf } from '../../../fixture/section/sectionPanel';

const ME = '/api/v1/me.php';
const SENTENCE = 'A later version of this module has upgraded its tables';
const MINUTE_MS = 60_000;

describeEachEngine('Tables of a later version', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  afterEach(() => jest.restoreAllMocks());

  const mount = (options: object = {}) => startPanel({ db: database.knex, ...options });

  /** Creates the tables, and a token. */
  const usedBefore = async () => (await mount()).token();

  const apply = (name: string) => database.knex('panel_api_migrations').insert({ name, applied_at: 1 });

  const letPass = (milliseconds: number) => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  };

  const causes = async (panel: Awaited<ReturnType<typeof mount>>, requests: number) =>
    (await panel.requestLines(requests)).map(({ fields }) => fields.cause);

  test.each([true, false])(
    'are used by no request of a process that starts (migrate: %s)',
    async (migrate) => {
      const token = await usedBefore();
      await apply('version_2');
      const panel = await mount({ migrate });
      const { status, body } = await panel.get(ME, token);
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      expect(await causes(panel, 1)).toEqual(['TABLES_NEWER']);
      await expect(panel.token()).rejects.toThrow(SENTENCE);
    },
  );

  test.each([true, false])(
    'are refused by a running process a minute after it read them last, and used again without the version (migrate: %s)',
    async (migrate) => {
      const token = await usedBefore();
      const panel = await mount({ migrate });
      const use = async () => (await panel.get(ME, token)).status;
      expect(await use()).toBe(200);
      await apply('version_2');
      expect(await use()).toBe(200);
      letPass(MINUTE_MS);
      expect([await use(), await use()]).toEqual([503, 503]);
      expect(await causes(panel, 4)).toEqual([undefined, undefined, 'TABLES_NEWER', 'TABLES_NEWER']);
      await database.knex('panel_api_migrations').where({ name: 'version_2' }).delete();
      expect(await use()).toBe(200);
    },
  );

  test('are failures of the checks of health.php and release-audit.php in the minute before', async () => {
    const token = await usedBefore();
    const panel = await mount();
    await panel.get(ME, token);
    await apply('version_2');
    for (const [name, key] of [
      ['health', 'name'],
      ['release-audit', 'id'],
    ] as const) {
      const { checks } = (await panel.get(`/api/v1/${name}.php`, token)).body.data;
      const found = checks.filter(({ detail }: { detail: string | null }) => detail?.startsWith(SENTENCE));
      expect(found).toEqual([expect.objectContaining({ [key]: 'migrations', status: 'fail' })]);
    }
  });

  test('are used if only migrations were added that are no version', async () => {
    const token = await usedBefore();
    await apply('0002_faster_lists');
    expect((await (await mount()).get(ME, token)).status).toBe(200);
  });

  test('are named as such on the pages of the API section', async () => {
    await usedBefore();
    await apply('version_2');
    const { get } = await startSectionPanel(engine, {}, {}, database);
    for (const page of shareOf(engine, ['', 'tokens', 'tokens/new'])) {
      const { status, text } = await get(page);
      expect([page, status, wordsOf(text)]).toEqual([page, 503, expect.stringContaining('later version')]);
    }
  });

  test.each(shareOf(engine, ['migrate', 'migrate --down --yes', 'status', 'check', 'enable', 'token list']))(
    'are neither changed nor used by panel-api %s, which says so',
    async (command) => {
      await usedBefore();
      await apply('version_2');
      const schema = await schemaOf(database);
      const { code, stderr } = await panelApiHere(database.url, command.split(' '));
      expect([code, stderr]).toEqual([4, expect.stringContaining(SENTENCE)]);
      expect(await schemaOf(database)).toEqual(schema);
    },
  );

  test('cost one statement a minute for all requests together', async () => {
    const token = await usedBefore();
    const panel = await mount();
    await panel.get(ME, token);
    const sent: string[] = [];
    const note = ({ sql }: { sql: string }) => sent.push(sql);
    database.knex.on('query', note);
    const reads = () => sent.filter((sql) => /panel_api_migrations/.test(sql)).length;
    const use = () => Promise.all(Array.from({ length: 20 }, () => panel.get(ME, token)));
    await use();
    expect([sent.length > 0, reads()]).toEqual([true, 0]);
    letPass(MINUTE_MS);
    await use();
    await use();
    database.knex.off('query', note);
    expect(reads()).toBe(1);
  });

  test('are looked for again by the next request if the statement fails', async () => {
    const token = await usedBefore();
    const panel = await mount();
    await panel.get(ME, token);
    letPass(MINUTE_MS);
    const send = database.knex.client._query;
    database.knex.client._query = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNRESET' }));
    expect((await panel.get(ME, token)).status).toBe(503);
    database.knex.client._query = send;
    await apply('version_2');
    expect((await panel.get(ME, token)).status).toBe(503);
    expect(await causes(panel, 3)).toEqual([undefined, 'ECONNRESET', 'TABLES_NEWER']);
  });
});
