import { STATUS_CODES } from 'node:http';
import { API_PATH, pathOf, tags } from '../../lib/fields/Operation';
import type { Parameter } from '../../lib/openapi/listParameters';
import {
  type DescribedEndpoint,
  describeEndpoints,
  descriptionOf,
  openapiDocument,
} from '../../lib/openapi/openapiDocument';
import { responseHeaders } from '../../lib/openapi/responses';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { parameterTable } from '../parameterTable';
import type { SectionRequest } from '../SectionRequest';
import { table } from '../table';

export const referencePage: PageHandler = async (request) => {
  const endpoints = await describeEndpoints(request.installation);
  const groups = Object.keys(tags)
    .map((tag) => ({ tag, of: endpoints.filter(({ operation }) => operation.tag === tag) }))
    .filter(({ of }) => of.length > 0);
  const link = ({ operation: { name, title } }: DescribedEndpoint) => html`<a href="#${name}">${title}</a> `;
  const links = groups.map(
    ({ tag, of }) => html`<dt>${tag}</dt>
<dd>${of.map(link)}</dd>`,
  );
  return {
    title: request.text('nav.reference'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('openapi.json')}" download>${request.text('reference.openapi')}</a>`,
    content: html`<p class="lead">${request.words('reference.lead')}</p>
<nav class="card index" aria-label="${request.text('reference.index')}"><dl class="facts" lang="en">
${links}</dl></nav>
${tokenForm(request)}
${groups.map(
  ({ tag, of }) => html`<section class="card"><h2 lang="en">${tag}</h2>
${of.map((endpoint) => endpointDetails(request, endpoint))}</section>`,
)}`,
  };
};

/** The bare OpenAPI document as a file, with the address that the page shows. */
export const openapiDownload: PageHandler = async ({ installation, apiUrl }) => {
  const document = await openapiDocument(installation, apiUrl.slice(0, -API_PATH.length));
  return { fileName: 'openapi.json', body: [`${JSON.stringify(document, null, 2)}\n`] };
};

const TOKEN_FIELD = 'reference-token';

/** The field for the token, which the script shows, with the words and names that the script needs. */
function tokenForm(request: SectionRequest): Html {
  // `Cache-Control` is always the same.
  const names = Object.keys(responseHeaders).filter((name) => name !== 'Cache-Control');
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
  { operation, parameters, fields, example }: DescribedEndpoint,
): Html {
  const { name, title } = operation;
  // A filter has the name of its field.
  const isRange = ({ name }: Parameter) => RANGE.test(name) && !Object.hasOwn(fields, name);
  const ranges = parameters.filter(isRange);
  const others = parameters.filter((one) => !isRange(one));
  const url = request.apiUrl + pathOf(operation);
  return html`<details class="endpoint"><summary>${code(API_PATH + pathOf(operation))} <span lang="en">${title}</span></summary>
<div class="endpoint-body" id="${name}">
<p>${request.english(descriptionOf(operation))}</p>
<form data-request="${url}" autocomplete="off">
${requestLine(request, name, url)}
<p class="status" role="status" data-status></p>
<div class="answer" data-answer hidden><p class="problem" data-problem hidden></p>
<dl data-headers></dl>
<pre tabindex="0"><code data-body></code></pre>
<p data-cut hidden>${request.text('reference.cut')}</p></div>
<pre tabindex="0"><code id="${name}-curl" data-curl>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>
${others.length > 0 && html`<h3>${request.text('reference.parameters')}</h3>${parameterTable(request, name, others, false)}`}
${ranges.length > 0 && html`<details><summary>${request.text('reference.ranges', { count: ranges.length })}</summary>${parameterTable(request, name, ranges, true)}</details>`}
</form>
<h3>${request.text('reference.fields')}</h3>${fieldTable(request, fields)}
<h3>${request.text('reference.example')}</h3>
<pre tabindex="0">${code(JSON.stringify(example, null, 2))}</pre>
</div></details>`;
}

const RANGE = /_(?:since|before|min|max)$/;

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

function fieldTable(request: SectionRequest, fields: DescribedEndpoint['fields']): Html {
  const either = new Intl.ListFormat(request.language, { type: 'disjunction' });
  return table(request, Object.entries(fields), [
    ['reference.name', ([name]) => code(name), 'heading'],
    ['reference.type', ([, { type }]) => either.format([type].flat().map(String))],
    ['reference.meaning', ([, field]) => request.english(String(field.description ?? ''))],
  ]);
}
