import type { DescribedEndpoint } from './describedEndpoints';
import { type Html, html } from './html';
import { english, parameterTable } from './parameterTable';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';

/** The id of the field for the token, which all endpoints share. */
export const TOKEN_FIELD = 'reference-token';

/**
 * An endpoint, closed at first. Its id is within what is closed, so that a browser opens it for a link. Without a
 * script, it can be read; with it, its request can be filled in, copied and sent.
 */
export function endpointDetails(request: SectionRequest, endpoint: DescribedEndpoint, url: string): Html {
  const { name, path, summary, description, parameters, fields, example } = endpoint;
  const ranges = parameters.filter(({ isRange }) => isRange);
  const others = parameters.filter(({ isRange }) => !isRange);
  return html`<details class="endpoint"><summary><code>${path}</code> <span lang="en">${summary}</span></summary>
<div class="endpoint-body" id="${name}">
<p>${english(request, description)}</p>
<form data-request="${url}" autocomplete="off">
${requestLine(request, name, url)}
${answerPlace(request)}
${others.length === 0 ? null : html`<h3>${request.text('reference.parameters')}</h3>${parameterTable(request, name, others)}`}
${ranges.length === 0 ? null : html`<details><summary>${request.text('reference.ranges', { count: ranges.length })}</summary>${parameterTable(request, name, ranges)}</details>`}
</form>
<h3>${request.text('reference.fields')}</h3>${fieldTable(request, fields)}
<h3>${request.text('reference.example')}</h3>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
</div></details>
`;
}

// The script writes both lines anew with the chosen parameters.
function requestLine(request: SectionRequest, name: string, url: string): Html {
  const link = (key: 'reference.token.none.link' | 'reference.token.set.link') =>
    html`<a href="#${TOKEN_FIELD}">${request.text(key)}</a>`;
  const none = request.words('reference.token.none', { enter: link('reference.token.none.link') });
  const set = request.words('reference.token.set', { change: link('reference.token.set.link') });
  return html`<div class="request"><code class="request-line" data-line tabindex="0">GET ${new URL(url).pathname}</code> <button class="primary" data-send hidden>${request.text('reference.send')}</button>
<small data-token="none" hidden>${none}</small><small data-token="set" hidden>${set}</small>
<button type="button" class="quiet" data-copy="${name}-curl" data-copied="${request.text('reference.copied')}" hidden>${request.text('reference.copy_curl')}</button></div>
<pre tabindex="0"><code id="${name}-curl" data-curl>curl -s -H "Authorization: Bearer $TOKEN" ${url}</code></pre>`;
}

function answerPlace(request: SectionRequest): Html {
  return html`<p class="status" role="status" data-status></p>
<div class="answer" data-answer hidden><p class="problem" data-problem hidden></p>
<dl data-headers></dl>
<pre tabindex="0"><code data-body></code></pre>
<p data-cut hidden>${request.text('reference.cut')}</p></div>`;
}

function fieldTable(request: SectionRequest, fields: DescribedEndpoint['fields']): Html {
  const either = new Intl.ListFormat(request.section.texts.language, { type: 'disjunction' });
  return table(fields, [
    [request.text('reference.name'), ({ name }) => html`<code>${name}</code>`, 'heading'],
    [request.text('reference.type'), ({ types }) => either.format(types)],
    [request.text('reference.meaning'), ({ description }) => english(request, description)],
  ]);
}
