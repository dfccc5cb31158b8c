import { Readable } from 'node:stream';
import type { JsonSchema } from '../../lib/json/json';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/Operation';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { table } from '../table';

/** The endpoints as this installation serves them. */
export const referencePage: PageHandler = async (request) => {
  const { installation, apiUrl } = request;
  const { paths, components } = (await openapiDocument(installation)) as unknown as ShownDocument;
  const endpoints = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const tags = [...new Set(endpoints.flatMap((endpoint) => endpoint.tags))];
  return {
    title: 'Reference',
    hasNotices: true,
    content: html`<p>Every endpoint answers <code>GET</code> requests with JSON. Send a token in the header <code>Authorization: Bearer …</code>.
This page lists only the endpoints whose data this panel provides.</p>
<p><a href="${request.to('openapi.json')}" download>OpenAPI document</a>, for programs that generate clients.</p>
<form class="try" data-try hidden><p class="field"><label for="try-token">Try it with a token</label>
<input id="try-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="try-hint">
<small id="try-hint">The page sends the token only to the API, and forgets it when you leave.</small></p></form>
${tags.map(
  (tag) => html`<h2>${tag}</h2>
${endpoints.filter((endpoint) => endpoint.tags.includes(tag)).map((endpoint) => details(endpoint, components.schemas, apiUrl))}`,
)}`,
  };
};

/** The bare OpenAPI document as a file, with the address that the page shows. */
export const openapiDownload: PageHandler = async ({ installation, apiUrl }) => {
  const document = await openapiDocument(installation, apiUrl.slice(0, -API_PATH.length));
  return {
    type: 'application/json; charset=utf-8',
    fileName: 'openapi.json',
    body: Readable.from([`${JSON.stringify(document, null, 2)}\n`]),
  };
};

/** The part of the OpenAPI document that the page shows. */
interface ShownDocument {
  readonly paths: Readonly<Record<string, { readonly get: Endpoint }>>;
  readonly components: { readonly schemas: Schemas };
}

interface Endpoint {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': {
          readonly schema: { readonly properties: { readonly data: Schema } };
          readonly example: unknown;
        };
      };
    };
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
}

function details(endpoint: Endpoint & { readonly path: string }, schemas: Schemas, apiUrl: string): Html {
  const { path, summary, description, parameters, responses } = endpoint;
  const url = apiUrl + path.slice(API_PATH.length);
  const { schema, example } = responses[200].content['application/json'];
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const takesPages = asked.some(({ name }) => name === 'limit');
  return html`<details class="endpoint"><summary><code>${path}</code> ${summary}</summary>
<p>${withCode(description)}</p>
<pre tabindex="0"><code>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${asked.length === 0 ? null : parameterTable(asked)}
${fieldTable(fieldsOf(schema.properties.data, schemas))}
<h3>Example answer</h3>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
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

type Schemas = Readonly<Record<string, Schema>>;

interface Schema extends JsonSchema {
  readonly $ref?: string;
  readonly properties?: Schemas;
  readonly items?: Schema;
}

/** The fields of a list's items, or of `data` itself. */
function fieldsOf(data: Schema, schemas: Schemas): Schemas {
  const { properties = {} } = schemas[data.$ref?.split('/').at(-1) ?? ''] ?? data;
  return properties.items?.items ? fieldsOf(properties.items.items, schemas) : properties;
}

function fieldTable(fields: Schemas): Html {
  return html`<h3>Fields</h3>${table(Object.entries(fields), [
    ['Name', ([name]) => html`<code>${name}</code>`, 'heading'],
    ['Type', ([, { type }]) => [type].flat().join(' or ')],
    ['Meaning', ([, { description }]) => withCode(String(description ?? ''))],
  ])}`;
}

/** A text of the OpenAPI document, with the names in backticks as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
