import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from '../../lib/json/json';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/Operation';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { type Parameter, parameterTable } from '../parameterTable';
import type { SectionRequest } from '../SectionRequest';
import { table } from '../table';

interface Schema extends JsonSchema {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Schemas;
  readonly items?: Schema;
}

type Schemas = Readonly<Record<string, Schema>>;

/** A part of the document, in its place or by a reference to a component. */
type Referable<T> = T & { readonly $ref?: string };

interface Endpoint {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Referable<Parameter>[];
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, JsonContent>> } };
}

type JsonContent = { readonly schema: Schema; readonly example: unknown };

/** The part of the OpenAPI document that the reference shows. */
interface Described {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Endpoint }>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: object;
  };
}

export const referencePage: PageHandler = async (request) => {
  const document = await openapiDocument(request.installation);
  const { tags, paths, components } = document as unknown as Described;
  const groups = tags
    .map(({ name }) => ({ name, of: Object.entries(paths).filter(([, { get }]) => get.tags.includes(name)) }))
    .filter(({ of }) => of.length > 0);
  const links = groups.map(
    ({ name, of }) => html`<dt>${name}</dt>
<dd>${of.map(([path, { get }]) => html`<a href="#${nameOf(path)}">${get.summary}</a> `)}</dd>
`,
  );
  return {
    title: request.text('nav.reference'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('openapi.json')}" download>${request.text('reference.openapi')}</a>`,
    content: html`<p class="lead">${request.words('reference.lead')}</p>
<nav class="card index" aria-label="${request.text('reference.index')}"><dl class="facts" lang="en">
${links}</dl></nav>
${tokenForm(request, components.headers)}
${groups.map(
  ({ name, of }) => html`<section class="card"><h2 lang="en">${name}</h2>
${of.map(([path, { get }]) => endpointDetails(request, path, get, components))}</section>`,
)}`,
  };
};

/** The bare OpenAPI document as a file, with the address that the page shows. */
export const openapiDownload: PageHandler = async ({ installation, apiUrl }) => {
  const document = await openapiDocument(installation, apiUrl.slice(0, -API_PATH.length));
  return { fileName: 'openapi.json', body: [`${JSON.stringify(document, null, 2)}\n`] };
};

/** The path without the API's and without `.php`, which is the fragment of the endpoint's link. */
function nameOf(path: string): string {
  return path.slice(API_PATH.length + 1).replace(/\.php$/, '');
}

const TOKEN_FIELD = 'reference-token';

/** The field for the token, which the script shows, with the words and names that the script needs. */
function tokenForm(request: SectionRequest, headers: object): Html {
  // `Cache-Control` is always the same.
  const names = Object.keys(headers).filter((name) => name !== 'Cache-Control');
  return html`<form class="card" data-reference hidden autocomplete="off"
data-statuses="${JSON.stringify(STATUS_CODES)}" data-headers="${names.join(' ')}"
data-sending="${request.text('reference.sending')}" data-unreachable="${request.text('reference.unreachable')}"
data-answer="${request.text('reference.answer', { status: '{status}', time: '{time}', size: '{size}' })}">
<p class="field" data-same-origin hidden><label for="${TOKEN_FIELD}">${request.text('reference.token')}</label>
<input id="${TOKEN_FIELD}" type="password" autocomplete="off" spellcheck="false" aria-describedby="${TOKEN_FIELD}-hint">
<small id="${TOKEN_FIELD}-hint">${request.text('reference.token.hint')}</small></p>
<p class="notice" data-other-origin hidden>${request.text('reference.elsewhere')}</p></form>`;
}

/**
 * An endpoint, closed at first. Its id is within what is closed, so that a browser opens it for a link. Without a
 * script, it can be read; with it, its request can be filled in, copied and sent.
 */
function endpointDetails(
  request: SectionRequest,
  path: string,
  endpoint: Endpoint,
  { schemas, parameters }: Described['components'],
): Html {
  const { summary, description, responses } = endpoint;
  const { schema, example } = responses[200].content['application/json'] as JsonContent;
  const fields = fieldsOf(resolved(schema, schemas).properties?.data ?? {}, schemas);
  const name = nameOf(path);
  const query = endpoint.parameters
    .map((one) => resolved(one, parameters))
    .filter((one) => one.in === 'query')
    // A filter has the name of its field.
    .map((one) => ({ ...one, isRange: RANGE.test(one.name) && !Object.hasOwn(fields, one.name) }));
  const ranges = query.filter(({ isRange }) => isRange);
  const others = query.filter(({ isRange }) => !isRange);
  const url = request.apiUrl + path.slice(API_PATH.length);
  return html`<details class="endpoint"><summary>${code(path)} <span lang="en">${summary}</span></summary>
<div class="endpoint-body" id="${name}">
<p>${request.english(description)}</p>
<form data-request="${url}" autocomplete="off">
${requestLine(request, name, url)}
<p class="status" role="status" data-status></p>
<div class="answer" data-answer hidden><p class="problem" data-problem hidden></p>
<dl data-headers></dl>
<pre tabindex="0"><code data-body></code></pre>
<p data-cut hidden>${request.text('reference.cut')}</p></div>
<pre tabindex="0"><code id="${name}-curl" data-curl>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${others.length > 0 && html`<h3>${request.text('reference.parameters')}</h3>${parameterTable(request, name, others)}`}
${ranges.length > 0 && html`<details><summary>${request.text('reference.ranges', { count: ranges.length })}</summary>${parameterTable(request, name, ranges)}</details>`}
</form>
<h3>${request.text('reference.fields')}</h3>${fieldTable(request, fields)}
<h3>${request.text('reference.example')}</h3>
<pre tabindex="0">${code(JSON.stringify(example, null, 2))}</pre>
</div></details>
`;
}

const RANGE = /_(?:since|before|min|max)$/;

function resolved<T>(part: Referable<T>, components: Readonly<Record<string, T>>): T {
  return components[part.$ref?.split('/').at(-1) ?? ''] ?? part;
}

/** The fields of a list's items, or of `data` itself. */
function fieldsOf(data: Schema, schemas: Schemas): Schemas {
  const { properties = {} } = resolved(data, schemas);
  return properties.items?.items ? fieldsOf(properties.items.items, schemas) : properties;
}

// The script writes both lines anew with the chosen parameters.
function requestLine(request: SectionRequest, name: string, url: string): Html {
  const link = (key: 'none' | 'set') =>
    html`<a href="#${TOKEN_FIELD}">${request.text(`reference.token.${key}.link`)}</a>`;
  const none = request.words('reference.token.none', { enter: link('none') });
  const set = request.words('reference.token.set', { change: link('set') });
  return html`<div class="request"><code class="request-line" data-line tabindex="0">GET ${new URL(url).pathname}</code> <button class="primary" data-send hidden>${request.text('reference.send')}</button>
<small data-token="none" hidden>${none}</small><small data-token="set" hidden>${set}</small>
<button type="button" class="quiet" data-copy="${name}-curl" data-copied="${request.text('frame.copied')}" hidden>${request.text('reference.copy_curl')}</button></div>`;
}

function fieldTable(request: SectionRequest, fields: Schemas): Html {
  const either = new Intl.ListFormat(request.language, { type: 'disjunction' });
  return table(request, Object.entries(fields), [
    ['reference.name', ([name]) => code(name), 'heading'],
    ['reference.type', ([, field]) => either.format(typesOf(field))],
    ['reference.meaning', ([, field]) => request.english(String(field.description ?? ''))],
  ]);
}

function typesOf(field: Schema): string[] {
  return (field.anyOf ?? [field]).flatMap(({ type }) => type).map(String);
}
