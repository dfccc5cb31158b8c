import { API_PATH, type Operation, pathOf } from '../../lib/fields/Operation';
import { code, html } from '../html';
import type { PageHandler } from '../Page';

/** The endpoints of this installation, each with its scope and a curl line. The document has the rest. */
export const referencePage: PageHandler = async (request) => {
  const row = (operation: Operation) => html`<dt>${code(API_PATH + pathOf(operation))}</dt>
<dd><code class="chip">${operation.scope}</code> ${request.english(operation.description)}<br>
<code>curl -s -H "Authorization: Bearer $TOKEN" ${request.apiUrl + pathOf(operation)}</code></dd>`;
  return {
    title: request.text('nav.reference'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('openapi.json')}" download>${request.text('reference.openapi')}</a>`,
    content: html`<p class="lead">${request.words('reference.lead')}</p>
<dl class="facts">${(await request.parts.servedOperations()).map(row)}</dl>`,
  };
};

/** The bare OpenAPI document as a file, with the address that the page shows. */
export const openapiDownload: PageHandler = async ({ parts, apiUrl }) => {
  const document = await parts.openapiDocument(apiUrl.slice(0, -API_PATH.length));
  return { fileName: 'openapi.json', body: [`${JSON.stringify(document, null, 2)}\n`] };
};
