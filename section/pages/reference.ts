import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/Operation';
import { type Described, describedEndpoints } from '../describedEndpoints';
import { endpointDetails, TOKEN_FIELD } from '../endpointDetails';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

/** The endpoints as this installation serves them. */
export const referencePage: PageHandler = async (request) => {
  const described = await describedEndpoints(request.installation);
  return {
    title: request.text('reference.title'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('openapi.json')}" download>${request.text('reference.openapi')}</a>`,
    content: html`<p class="lead">${request.words('reference.lead')}</p>
${index(request, described)}
${tokenForm(request, described)}
${described.tags.map(
  ({ name, endpoints }) => html`<h2 lang="en">${name}</h2>
${endpoints.map((endpoint) => endpointDetails(request, endpoint, request.apiUrl + endpoint.path.slice(API_PATH.length)))}`,
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

function index(request: SectionRequest, { tags }: Described): Html {
  return html`<nav class="index" aria-label="${request.text('reference.index')}"><dl class="facts" lang="en">
${tags.map(
  ({ name, endpoints }) => html`<dt>${name}</dt>
<dd>${endpoints.map((endpoint) => html`<a href="#${endpoint.name}">${endpoint.summary}</a> `)}</dd>
`,
)}</dl></nav>`;
}

/** The field for the token, which the script shows, with the words and names that the script needs. */
function tokenForm(request: SectionRequest, { headers }: Described): Html {
  return html`<form data-reference hidden autocomplete="off"
data-statuses="${JSON.stringify(STATUS_CODES)}" data-headers="${headers.join(' ')}"
data-sending="${request.text('reference.sending')}" data-unreachable="${request.text('reference.unreachable')}"
data-answer="${request.text('reference.answer', { status: '{status}', time: '{time}', size: '{size}' })}">
<p class="field" data-same-origin hidden><label for="${TOKEN_FIELD}">${request.text('reference.token')}</label>
<input id="${TOKEN_FIELD}" type="password" autocomplete="off" spellcheck="false" aria-describedby="${TOKEN_FIELD}-hint">
<small id="${TOKEN_FIELD}-hint">${request.text('reference.token.hint')}</small></p>
<p class="notice" data-other-origin hidden>${request.text('reference.elsewhere')}</p></form>`;
}
