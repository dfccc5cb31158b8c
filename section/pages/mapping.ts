import { html } from '../html';
import { checkLists, results } from '../listChecks';
import type { PageHandler } from '../Page';

const EXAMPLE = `createPanelApi({
  sources: {
    domains: {
      table: 'site_domain',
      fields: { id: 'domain_id', domain: 'name' },
    },
    cron: false, // The panel has no such data.
  },
});`;

/** Says what each list lacks that cannot be served, and how a list is mapped. */
export const mappingPage: PageHandler = async (request) => {
  const lists = await checkLists(request);
  const missing = lists.filter(({ result }) => result?.state === 'missing');
  const code = (text: string) => html`<code>${text}</code>`;
  const more = { file: code('docs/how-to/map-tables.md'), command: code('panel-api check --config FILE') };
  return {
    title: request.text('mapping.title'),
    content: html`${missing.length === 0 ? html`<p>${request.text('mapping.none')}</p>` : results(request, missing)}
<p>${request.words('mapping.hint', { option: code('sources') })}</p>
<h2>${request.text('mapping.example')}</h2>
<pre tabindex="0"><code>${EXAMPLE}</code></pre>
<p>${request.words('mapping.more', more)}</p>`,
  };
};
