import type { PanelApiOptions } from '../../../index';
import type { ApiSectionOptions } from '../../../section/ApiSectionOptions';
import { describedParameters } from '../../fixture/describedParameters';
import { startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly responses: {
    // biome-ignore lint/suspicious/noExplicitAny: the document is read as the reader of its JSON would.
    readonly 200: { readonly content: { readonly 'application/json': { readonly example: any } } };
  };
}

/** The text of an endpoint on the page, by its path. */
type Shown = ReadonlyMap<string, string>;

const shownOf = (text: string): Shown =>
  new Map(
    text
      .split('<details class="endpoint">')
      .slice(1)
      .map((part) => [/<code>([^<]*)<\/code>/.exec(part)?.[1] ?? '', part]),
  );

/** What stands below a heading of an endpoint. */
const below = (shown: string, heading: string) =>
  shown.split(`<h3>${heading}</h3>`)[1]?.split('<h3>')[0] ?? '';

const namesIn = (table: string) =>
  [...table.matchAll(/<th scope="row">(?:<label[^>]*>)?<code>([^<]*)<\/code>/g)].map(([, name]) => name);

/** The fields of an item of a list, or of the data of one object. */
const fieldsOf = ({ responses }: Described) => {
  const { data } = responses[200].content['application/json'].example;
  return Object.keys(data.items?.[0] ?? data);
};

describe('The reference in the API section', () => {
  const start = async (options: Partial<PanelApiOptions> = {}, mount: Partial<ApiSectionOptions> = {}) => {
    const section = await startSectionPanel('sqlite', options, mount);
    const { body } = await section.panel.get('/api/v1/openapi.php', await section.panel.token());
    const { document } = body.data;
    const paths: Record<string, { get: Described }> = document.paths;
    const shown = shownOf((await section.get('reference')).text);
    const endpoints = Object.entries(paths).map(([path, { get }]) => ({
      path,
      described: get,
      parameters: describedParameters(document, path),
      text: shown.get(path) ?? '',
    }));
    return { section, endpoints, shown };
  };

  let whole: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    whole = await start();
  });

  test('lists every endpoint that the installation serves, once', () => {
    expect(whole.endpoints.length).toBeGreaterThan(10);
    expect([...whole.shown.keys()].toSorted()).toEqual(whole.endpoints.map(({ path }) => path).toSorted());
  });

  test('does not list endpoints that the panel does not supply', async () => {
    const { shown, endpoints } = await start({ sources: { jobs: false, ssl: false } });
    expect([...shown.keys()].toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
    expect(shown.has('/api/v1/domains.php')).toBe(true);
    expect(shown.has('/api/v1/jobs.php')).toBe(false);
    expect(shown.has('/api/v1/ssl.php')).toBe(false);
  });

  test('sends a word with a comma as one value', async () => {
    const type = { values: { c: 'copy, move', p: 'plain' } };
    const { shown } = await start({ sources: { jobs: { fields: { type } } } });
    expect(shown.get('/api/v1/jobs.php')).toContain(
      '<option value="&quot;copy, move&quot;">copy, move</option><option>plain</option>',
    );
  });

  test('describes each endpoint and names its scope', () => {
    for (const { described, text } of whole.endpoints) {
      expect(wordsOf(text)).toContain(described.summary);
      expect(wordsOf(text)).toContain(
        described.description.replace(/`([^`]*)`/g, ' $1 ').replace(/ +/g, ' '),
      );
    }
  });

  test('lists exactly the parameters that each takes', () => {
    for (const { path, parameters, text } of whole.endpoints) {
      const names = parameters.map(({ name }) => name);
      expect([path, namesIn(below(text, 'Parameters')).toSorted()]).toEqual([path, names.toSorted()]);
    }
    const domains = below(whole.shown.get('/api/v1/domains.php') ?? '', 'Parameters');
    expect(namesIn(domains)).toContain('limit');
  });

  test('offers the words of a parameter in a select, as the OpenAPI document lists them', () => {
    for (const { path, parameters, text } of whole.endpoints) {
      for (const { name, schema } of parameters) {
        const { type, ...rest } = schema.items ?? schema;
        const { enum: closed, examples = [] } = rest as Readonly<
          Record<string, readonly string[] | undefined>
        >;
        const words = type === 'boolean' ? ['true', 'false'] : (closed ?? examples);
        const select = new RegExp(`<select [^>]*name="${name}"[\\s\\S]*?</select>`).exec(text)?.[0] ?? '';
        const options = [...select.matchAll(/<option>([^<]*)</g)].map(([, word]) => word);
        expect([path, name, options]).toEqual([path, name, words.length > 1 || closed ? words : []]);
      }
    }
  });

  test('has a field with a label for every parameter, and no id twice', async () => {
    const { text } = await whole.section.get('reference');
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
    const labelled = [...text.matchAll(/<label for="([^"]*)"/g)].map(([, id]) => id);
    const fields = [...text.matchAll(/<(?:input|select) id="([^"]*)"/g)].map(([, id]) => id);
    expect(labelled.toSorted()).toEqual(fields.toSorted());
  });

  test('has an index with a link to every endpoint', async () => {
    const { text } = await whole.section.get('reference');
    const index = /<nav class="card index"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
    const links = [...index.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links).toEqual([...whole.shown.keys()].map((path) => /([^/]*)\.php$/.exec(path)?.[1]));
    for (const id of links) expect(text).toContain(`id="${id}"`);
  });

  test('speaks the language of the panel around the English texts of the document', async () => {
    const { section } = await start(
      {},
      { languages: { de: { 'reference.parameters': 'Parameter', 'reference.any': 'beliebig' } } },
    );
    const { text } = await section.get('reference');
    expect(text).toContain('<h3>Parameter</h3>');
    expect(text).toContain('<option value="">beliebig</option>');
    expect(text).toContain('<span lang="en">Every domain that the panel manages.');
  });

  test('lists exactly the fields that each answers with', () => {
    for (const { path, described, text } of whole.endpoints) {
      expect([path, namesIn(below(text, 'Fields'))]).toEqual([path, fieldsOf(described)]);
    }
  });

  test('lists only the fields that the panel supplies', async () => {
    const { shown } = await start({ sources: { domains: { fields: { parent_id: false } } } });
    const names = namesIn(below(shown.get('/api/v1/domains.php') ?? '', 'Fields'));
    expect(names).toContain('domain');
    expect(names).not.toContain('parent_id');
  });

  test('shows the example answer of the OpenAPI document of each', () => {
    for (const { described, text } of whole.endpoints) {
      const shown = wordsOf(below(text, 'Example answer').split('</pre>')[0] ?? '');
      expect(JSON.parse(shown)).toEqual(described.responses[200].content['application/json'].example);
    }
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

  test('has curl lines that name the address at which the section was requested', () => {
    for (const { path, text } of whole.endpoints) {
      expect(wordsOf(text)).toContain(
        `curl -s -H "Authorization: Bearer $TOKEN" ${whole.section.panel.url}${path} `,
      );
    }
  });

  test.each(['https://panel.example', 'https://panel.example/'])(
    'has curl lines that name the address %s if the panel says that it is the API’s',
    async (apiUrl) => {
      const { section, endpoints } = await start({}, { apiUrl });
      for (const { path, text } of endpoints) {
        expect(wordsOf(text)).toContain(
          `curl -s -H "Authorization: Bearer $TOKEN" https://panel.example${path} `,
        );
      }
      expect((await section.get('reference')).text).not.toContain(section.panel.url);
    },
  );

  test('shows no data of the panel', async () => {
    const { text } = await whole.section.get('reference');
    const rows = await whole.section.database.knex('domains').select('domain');
    expect(rows.length).toBeGreaterThan(0);
    for (const { domain } of rows) if (domain !== 'example.com') expect(text).not.toContain(domain);
  });
});
