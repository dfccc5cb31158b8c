import type { JsonSchema } from '../../lib/json/json';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/Operation';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { table } from '../table';

/** The endpoints as this installation serves them. */
export const referencePage: PageHandler = async ({ installation, apiUrl }) => {
  const { paths } = (await openapiDocument(installation)) as { paths: Readonly<Record<string, PathItem>> };
  const endpoints = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const tags = [...new Set(endpoints.flatMap((endpoint) => endpoint.tags))];
  return {
    title: 'Reference',
    hasNotices: true,
    content: html`<p>Every endpoint answers <code>GET</code> requests with JSON. Send a token in the header <code>Authorization: Bearer …</code>.
This page lists only the endpoints whose data this panel provides.</p>
<form class="try" data-try hidden><p class="field"><label for="try-token">Try it with a token</label>
<input id="try-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="try-hint">
<small id="try-hint">The page sends the token only to the API, and forgets it when you leave.</small></p></form>
${tags.map(
  (tag) => html`<h2>${tag}</h2>
${endpoints.filter((endpoint) => endpoint.tags.includes(tag)).map((endpoint) => details(endpoint, apiUrl))}`,
)}`,
  };
};

/** The part of a path in the OpenAPI document that the page shows. */
interface PathItem {
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

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
}

function details(endpoint: PathItem['get'] & { readonly path: string }, apiUrl: string): Html {
  const { path, summary, description, parameters, responses } = endpoint;
  const url = apiUrl + path.slice(API_PATH.length);
  const answer = responses[200]?.content?.['application/json']?.schema ?? {};
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const takesPages = asked.some(({ name }) => name === 'limit');
  return html`<details class="endpoint"><summary><code>${path}</code> ${summary}</summary>
<p>${withCode(description)}</p>
<pre tabindex="0"><code>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${asked.length === 0 ? null : parameterTable(asked)}
${fieldTable(fieldsOf(answer))}
<h3>Example answer</h3>
<pre tabindex="0"><code>${JSON.stringify(sampleOf(answer), null, 2)}</code></pre>
<p><button type="button" data-send="${url}"${takesPages ? html` data-list` : null} hidden>Send the request</button></p>
<pre tabindex="0" class="answer" data-answer hidden><code></code></pre>
</details>
`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<h3>Parameters</h3>${table(parameters, [
    ['Name', ({ name }) => html`<code>${name}</code>`, 'heading'],
    ['Meaning', ({ description }) => withCode(description)],
  ])}`;
}

type Properties = Readonly<
  Record<string, JsonSchema & { properties?: Properties; items?: { properties?: Properties } }>
>;

/** The fields of a list's items, or of `data` itself. */
function fieldsOf(answer: JsonSchema): Properties {
  const data = (answer.properties as Properties | undefined)?.data?.properties ?? {};
  return data.items?.items?.properties ?? data;
}

function fieldTable(fields: Properties): Html {
  return html`<h3>Fields</h3>${table(Object.entries(fields), [
    ['Name', ([name]) => html`<code>${name}</code>`, 'heading'],
    ['Type', ([, { type }]) => [type].flat().join(' or ')],
    ['Meaning', ([, { description }]) => withCode(String(description ?? ''))],
  ])}`;
}

/** Sample texts by the end of the field's name. Names and addresses are those reserved for examples. */
const TEXTS: readonly (readonly [name: RegExp, sample: string])[] = [
  [/(?:^|_)(?:domain|common_name|host|hostname|sans|aliases)$/, 'example.com'],
  [/(?:^|_)(?:email|address|forward_to)$/, 'info@example.com'],
  [/(?:^|_)(?:ip|ip_addresses|client_ip)$/, '192.0.2.7'],
  [/(?:^|_)version$/, '1.0'],
  [/(?:^|_)timezone$/, 'Europe/Berlin'],
  [/(?:^|_)schedule$/, '15 3 * * *'],
  [/(?:^|_)command$/, '/usr/bin/backup --password=…'],
];

/** A sample value that matches the schema. */
function sampleOf(schema: JsonSchema, name = ''): unknown {
  const { examples, properties, items } = schema;
  if ('const' in schema) return schema.const;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'object') {
    const samples = Object.entries((properties ?? {}) as Properties);
    return Object.fromEntries(samples.map(([key, property]) => [key, sampleOf(property, key)]));
  }
  if (type === 'array') return [sampleOf((items ?? {}) as JsonSchema, name)];
  if (type === 'integer') return name.endsWith('_bytes') ? 1_048_576 : 1;
  if (type === 'number') return 12.5;
  if (type === 'boolean') return true;
  if (schema.format === 'date-time') return '2026-06-12T00:00:00+00:00';
  return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example';
}

/** A text of the OpenAPI document, with the names in backticks as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
