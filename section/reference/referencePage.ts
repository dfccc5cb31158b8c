import type { JsonSchema } from '../../lib/json/JsonSchema';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { API_PATH } from '../../lib/operations/OperationFacts';
import { type Html, html } from '../html/html';
import type { PageHandler } from '../Page';
import { type Endpoint, endpoints, type Parameter } from './endpoints';
import { sampleOf } from './sampleOf';
import { withCode } from './withCode';

/** The endpoints as this installation serves them. */
export const referencePage: PageHandler = async ({ installation, apiUrl }) => {
  const served = endpoints(await openapiDocument(installation));
  const areas = [...new Set(served.map(({ area }) => area))];
  return {
    title: 'Reference',
    hasNotices: true,
    content: html`<p>All of these answer <code>GET</code> with JSON, for a token in the header <code>Authorization: Bearer …</code>.
Where the panel supplies no such data, an endpoint is not listed.</p>
<form class="try" data-try hidden><p class="field"><label for="try-token">Try it with a token</label>
<input id="try-token" type="password" autocomplete="off" spellcheck="false" aria-describedby="try-hint">
<small id="try-hint">It goes to the API and nowhere else, and is forgotten when you leave the page.</small></p></form>
${areas.map(
  (area) => html`<h2>${area}</h2>
${served.filter((endpoint) => endpoint.area === area).map((endpoint) => details(endpoint, apiUrl))}`,
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
  return html`<h3>Parameters</h3><div class="wide"><table class="stacked"><thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead><tbody>
${asked.map(
  ({
    name,
    description,
  }) => html`<tr><th scope="row"><code>${name}</code></th><td data-label="Meaning">${withCode(description)}</td></tr>
`,
)}</tbody></table></div>`;
}

function fieldTable(fields: Readonly<Record<string, JsonSchema>>): Html {
  return html`<h3>Fields</h3><div class="wide"><table class="stacked"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>
${Object.entries(fields).map(
  ([
    name,
    { type, description },
  ]) => html`<tr><th scope="row"><code>${name}</code></th><td data-label="Type">${[type].flat().join(' or ')}</td><td data-label="Meaning">${withCode(String(description ?? ''))}</td></tr>
`,
)}</tbody></table></div>`;
}
