import type { JsonSchema } from '../../lib/json/JsonSchema';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/Operation';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { table } from '../table';

/** The endpoints as this installation serves them. */
export const referencePage: PageHandler = async ({ installation, apiUrl }) => {
  const served = endpoints(await openapiDocument(installation));
  const tags = [...new Set(served.map(({ tag }) => tag))];
  return {
    title: 'Reference',
    hasNotices: true,
    content: html`<p>All of these answer <code>GET</code> with JSON, for a token in the header <code>Authorization: Bearer …</code>.
An endpoint is not listed if this panel does not supply its data.</p>
<form class="try" data-try hidden><p class="field"><label for="try-token">Try it with a token</label>
<input id="try-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="try-hint">
<small id="try-hint">It goes to the API and nowhere else, and is forgotten when you leave the page.</small></p></form>
${tags.map(
  (tag) => html`<h2>${tag}</h2>
${served.filter((endpoint) => endpoint.tag === tag).map((endpoint) => details(endpoint, apiUrl))}`,
)}`,
  };
};

function details(endpoint: Endpoint, apiUrl: string): Html {
  const { path, title, description, parameters, answer, fields } = endpoint;
  const url = apiUrl + path.slice(API_PATH.length);
  return html`<details class="endpoint"><summary><code>${path}</code> ${title}</summary>
<p>${withCode(description)}</p>
<pre tabindex="0"><code>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${parameterTable(parameters)}
${fieldTable(fields)}
<h3>Answer, with made-up values</h3>
<pre tabindex="0"><code>${JSON.stringify(sampleOf(answer), null, 2)}</code></pre>
<p><button type="button" data-send="${url}"${takesPages(parameters) ? html` data-list` : null} hidden>Send it</button></p>
<pre tabindex="0" class="answer" data-answer hidden><code></code></pre>
</details>
`;
}

function takesPages(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ name }) => name === 'limit');
}

function parameterTable(parameters: readonly Parameter[]): Html | null {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  if (asked.length === 0) return null;
  return html`<h3>Parameters</h3>${table(asked, [
    ['Name', ({ name }) => html`<code>${name}</code>`, 'heading'],
    ['Meaning', ({ description }) => withCode(description)],
  ])}`;
}

function fieldTable(fields: Readonly<Record<string, JsonSchema>>): Html {
  return html`<h3>Fields</h3>${table(Object.entries(fields), [
    ['Name', ([name]) => html`<code>${name}</code>`, 'heading'],
    ['Type', ([, { type }]) => [type].flat().join(' or ')],
    ['Meaning', ([, { description }]) => withCode(String(description ?? ''))],
  ])}`;
}

/** One endpoint as the OpenAPI document describes it. */
interface Endpoint {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the whole answer. */
  readonly answer: JsonSchema;
  /** The fields of an item, or of `data` itself. */
  readonly fields: Readonly<Record<string, JsonSchema>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
}

interface Described {
  readonly get: {
    readonly summary: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly parameters: readonly Parameter[];
    readonly responses: Readonly<
      Record<string, { content?: Readonly<Record<string, { schema: JsonSchema }>> }>
    >;
  };
}

type Properties = Readonly<
  Record<string, JsonSchema & { properties?: Properties; items?: { properties?: Properties } }>
>;

/** The endpoints of the module's own OpenAPI document. */
function endpoints({ paths }: JsonSchema): readonly Endpoint[] {
  return Object.entries(paths as Readonly<Record<string, Described>>).map(([path, { get }]) => {
    const answer = get.responses[200]?.content?.['application/json']?.schema ?? {};
    const data = (answer.properties as Properties | undefined)?.data?.properties ?? {};
    return {
      path,
      title: get.summary,
      description: get.description,
      tag: get.tags[0] ?? '',
      parameters: get.parameters,
      answer,
      fields: data.items?.items?.properties ?? data,
    };
  });
}

/** Samples of texts, by the end of the field's name. Names and addresses are those reserved for examples. */
const TEXTS: readonly (readonly [name: RegExp, sample: string])[] = [
  [/(?:^|_)(?:domain|common_name|host|hostname|sans|aliases)$/, 'example.com'],
  [/(?:^|_)(?:email|address|forward_to)$/, 'info@example.com'],
  [/(?:^|_)(?:ip|ip_addresses|client_ip)$/, '192.0.2.7'],
  [/(?:^|_)version$/, '1.0'],
  [/(?:^|_)timezone$/, 'Europe/Berlin'],
  [/(?:^|_)schedule$/, '15 3 * * *'],
  [/(?:^|_)command$/, '/usr/bin/backup --password=***'],
];

/** An invented value that fits the schema. */
function sampleOf(schema: JsonSchema, name = ''): unknown {
  const { examples, properties, items } = schema;
  if ('const' in schema) return schema.const;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') return sampleObject((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  if (type === 'array') return [sampleOf((items ?? {}) as JsonSchema, name)];
  if (type === 'integer') return name.endsWith('_bytes') ? 1_048_576 : 1;
  if (type === 'number') return 12.5;
  if (type === 'boolean') return true;
  if (schema.format === 'date-time') return '2026-06-12T00:00:00+00:00';
  return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example';
}

function sampleObject(properties: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema, name)]),
  );
}

/** A text of the OpenAPI document, with the names that stand between backticks set as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
