import type { PanelApiOptions } from '../../../index';
import type { ApiSectionOptions } from '../../../section/createApiSection';
import { startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

interface Described {
  readonly description: string;
  readonly security: readonly [{ readonly bearer: readonly string[] }];
}

describe('The reference in the API section', () => {
  const start = async (options: Partial<PanelApiOptions> = {}, mount: Partial<ApiSectionOptions> = {}) => {
    const section = await startSectionPanel('sqlite', options, mount);
    const { body } = await section.panel.get('/api/v1/openapi.php', await section.panel.token());
    const paths: Record<string, { get: Described }> = body.data.document.paths;
    const { text } = await section.get('reference');
    const rows = text.split('<dt>').slice(1);
    const shown = new Map(rows.map((row) => [/<code>([^<]*)<\/code>/.exec(row)?.[1] ?? '', wordsOf(row)]));
    return { section, paths, text, shown };
  };

  test('lists every endpoint that the installation serves with its scope and description, and no other', async () => {
    const { paths, shown } = await start({ sources: { jobs: false, ssl: false } });
    expect(shown.size).toBeGreaterThan(10);
    expect([...shown.keys()].toSorted()).toEqual(Object.keys(paths).toSorted());
    expect(shown.has('/api/v1/jobs.php')).toBe(false);
    for (const [path, { get }] of Object.entries(paths)) {
      const [{ bearer }] = get.security;
      expect(shown.get(path)).toContain(` ${bearer[0]} `);
      expect(shown.get(path)).toContain(get.description.replace(/ Requires the scope .*/, ''));
    }
  });

  test('speaks the language of the panel around the English texts of the document', async () => {
    const { text } = await start({}, { languages: { de: { 'reference.openapi': 'Dokument laden' } } });
    expect(text).toContain('download>Dokument laden</a>');
    expect(text).toContain('<span lang="en">Every domain that the panel manages.');
    expect(text).toContain('Die Beschreibungen und die Texte der Felder sind auf Englisch.');
  });

  test('links to the bare OpenAPI document, with the address that the page shows', async () => {
    const { section } = await start({}, { apiUrl: 'https://panel.example/api-host/' });
    expect((await section.get('reference')).text).toContain('href="openapi.json" download>');
    const { text, headers } = await section.get('openapi.json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="openapi.json"');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text)).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: 'https://panel.example/api-host' }],
    });
  });

  test('has curl lines that name the address at which the section was requested', async () => {
    const { section, shown } = await start();
    for (const [path, row] of shown)
      expect(row).toContain(`curl -s -H "Authorization: Bearer $TOKEN" ${section.panel.url}${path} `);
  });

  test.each(['https://panel.example', 'https://panel.example/'])(
    'has curl lines that name the address %s if the panel says that it is the API’s',
    async (apiUrl) => {
      const { section, shown, text } = await start({}, { apiUrl });
      for (const [path, row] of shown)
        expect(row).toContain(`curl -s -H "Authorization: Bearer $TOKEN" https://panel.example${path} `);
      expect(text).not.toContain(section.panel.url);
    },
  );

  test('shows no data of the panel', async () => {
    const { section, text } = await start();
    const rows = await section.database.knex('domains').select('domain');
    expect(rows.length).toBeGreaterThan(0);
    for (const { domain } of rows) if (domain !== 'example.com') expect(text).not.toContain(domain);
  });
});
