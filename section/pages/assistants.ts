import { API_PATH, EVERY_SCOPE } from '../../lib/fields/Operation';
import { clientLines } from '../clientLines';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { describedSetting, switchForm } from './settings';

/** The scopes that a link to a new token leaves out: addresses of people, and settings. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accounts.read', 'email.read', 'settings.read', EVERY_SCOPE]);

const DAYS = '30';

/** The name of the MCP server among what is mounted beside the API. */
export const MCP = 'mcp';

export const assistantsPage: PageHandler = async (request) => {
  const { parts, apiUrl } = request;
  const title = request.text('nav.assistants');
  const path = parts.mounts.get(MCP);
  if (path === undefined)
    return {
      title,
      content: html`<p>${request.words('assistants.not_mounted', { line: code('app.use(createMcp({ api }).routes())') })}</p>`,
    };
  const url = apiUrl.slice(0, -API_PATH.length) + path;
  return {
    title,
    hasNotices: true,
    content: html`<p class="lead">${request.words('assistants.lead')}</p>
${await shownSwitch(request)}
<h2>${request.text('assistants.token')}</h2>
<p>${request.words('assistants.token.hint')}</p>
<p class="actions"><a class="button" href="${await newTokenLink(request)}">${request.text('assistants.token.create')}</a></p>
<h2>${request.text('assistants.clients')}</h2>
<p>${request.words('assistants.clients.hint', { url: code(url), variable: code('PANEL_TOKEN') })}</p>
${clientLines(url).map(
  ({ id, client, file, lines }) => html`<h3>${client}</h3>
<p>${file === null ? request.text('assistants.command') : request.words('assistants.file', { file: code(file) })} <button type="button" class="quiet" data-copy="${id}" data-copied="${request.text('frame.copied')}" hidden>${request.text('created.copy')}</button></p>
<pre tabindex="0"><code id="${id}">${lines}</code></pre>`,
)}`,
  };
};

async function shownSwitch(request: SectionRequest): Promise<Html> {
  const enabled = await describedSetting(request, 'assistantsEnabled');
  const state = enabled.value === true ? 'on' : 'off';
  const button = html`<button${state === 'off' && html` class="primary"`}>${request.text(`assistants.${state}.change`)}</button>`;
  return html`<div class="notice${state === 'off' && ' off'} api-switch"><p><b>${request.text(`assistants.${state}`)}</b></p>
${await switchForm(request, enabled, button)}</div>`;
}

async function newTokenLink(request: SectionRequest): Promise<string> {
  const served = await request.parts.servedOperations();
  const scopes = new Set(served.map(({ scope }) => scope).filter((scope) => !LEFT_OUT.has(scope)));
  const form = new URLSearchParams({ name: request.text('assistants.token.name'), expiry: DAYS });
  for (const scope of scopes) form.append('scope', scope);
  return `${request.to('tokens/new')}?${form}`;
}
