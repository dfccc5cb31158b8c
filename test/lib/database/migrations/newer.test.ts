import { panelApiHere } from '../../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase, shareOf, type TestDatabase } from '../../../fixture/databases';
import { schemaOf } from '../../../fixture/migrations/schemaOf';
import { startPanel, type TestPanel } from '../../../fixture/panel';
import { startSectionPanel, wordsOf } from '../../../fixture/section/sectionPanel';

const ME = '/api/v1/me.php';
const SENTENCE = 'A later version of this module has upgraded its tables';
const MIGRATES = [true, false];

describeEachEngine('Tables of a later version', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await mount();
    token = await panel.token();
  });

  afterEach(() => jest.restoreAllMocks());

  const mount = (options: object = {}) => startPanel({ db: database.knex, ...options });
  const apply = (name: string) => database.knex('panel_api_migrations').insert({ name, applied_at: 1 });
  const letMinutePass = () => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  };

  const use = async () => (await panel.get(ME, token)).status;
  const causes = async (requests: number) =>
    (await panel.requestLines(requests)).map(({ fields }) => fields.cause);

  test.each(MIGRATES)('are used by no request of a process that starts (migrate: %s)', async (migrate) => {
    await apply('version_2');
    panel = await mount({ migrate });
    const { status, body } = await panel.get(ME, token);
    expect([status, body.error.code, await causes(1)]).toEqual([503, 'unavailable', ['TABLES_NEWER']]);
    await expect(panel.token()).rejects.toThrow(SENTENCE);
  });

  test.each(MIGRATES)(
    'are refused by a process a minute after it read them, until they are no longer (migrate: %s)',
    async (migrate) => {
      panel = await mount({ migrate });
      expect(await use()).toBe(200);
      await apply('version_2');
      expect(await use()).toBe(200);
      letMinutePass();
      expect([await use(), await use()]).toEqual([503, 503]);
      expect((await causes(4)).slice(2)).toEqual(['TABLES_NEWER', 'TABLES_NEWER']);
      await database.knex('panel_api_migrations').where({ name: 'version_2' }).delete();
      expect(await use()).toBe(200);
    },
  );

  test('are a failure in health.php and release-audit.php in the minute before', async () => {
    await apply('version_2');
    for (const name of ['health', 'release-audit']) {
      const { checks } = (await panel.get(`/api/v1/${name}.php`, token)).body.data;
      const found = checks.filter(({ detail }: { detail: string | null }) => detail?.startsWith(SENTENCE));
      expect(found).toEqual([expect.objectContaining({ status: 'fail' })]);
    }
  });

  test('are those with a version: others may have more tables, columns and indexes', async () => {
    await apply('0002_faster_lists');
    panel = await mount();
    expect(await use()).toBe(200);
  });

  test.each(shareOf(engine, ['', 'tokens', 'tokens/new']))(
    'are named by the page "%s" of the API section',
    async (page) => {
      await apply('version_2');
      const { status, text } = await (await startSectionPanel(engine, {}, {}, database)).get(page);
      expect([status, wordsOf(text)]).toEqual([503, expect.stringContaining('later version')]);
    },
  );

  test.each(shareOf(engine, ['migrate', 'migrate --down --yes', 'status', 'check', 'enable', 'token list']))(
    'are neither changed nor used by panel-api %s, which says so',
    async (command) => {
      await apply('version_2');
      const schema = await schemaOf(database);
      const { code, stderr } = await panelApiHere(database.url, command.split(' '));
      expect([code, stderr]).toEqual([4, expect.stringContaining(SENTENCE)]);
      expect(await schemaOf(database)).toEqual(schema);
    },
  );

  test('are looked for with one statement a minute by all requests together', async () => {
    const sent: string[] = [];
    const useOften = () => Promise.all(Array.from({ length: 20 }, use));
    database.knex.on('query', ({ sql }: { sql: string }) => sent.push(sql));
    const looks = () => sent.filter((sql) => sql.includes('applied_at')).length;
    await useOften();
    expect([sent.length > 0, looks()]).toEqual([true, 0]);
    letMinutePass();
    await useOften();
    await useOften();
    expect(looks()).toBe(1);
  });

  test('are looked for by the next request if the statement fails', async () => {
    letMinutePass();
    const failing = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    jest.spyOn(database.knex.client, '_query').mockRejectedValue(failing);
    expect(await use()).toBe(503);
    jest.restoreAllMocks();
    letMinutePass();
    await apply('version_2');
    expect([await use(), await causes(2)]).toEqual([503, ['ECONNRESET', 'TABLES_NEWER']]);
  });
});
