import { EVERY_SCOPE } from '../../lib/fields/Operation';
import { assistantLines, mcpUrl } from '../clientLines';
import { code, type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { SENSITIVE_SCOPES } from '../tokenFacts';
import { describedSetting, switchForm } from './settings';

const DAYS = '30';

export const assistantsPage: PageHandler = async (request) => {
  const title = request.text('nav.assistants');
  const url = mcpUrl(request);
  if (url === null)
    return {
      title,
      content: html`<p>${request.words('assistants.not_mounted', { line: code('app.use(createMcp({ api }).routes())') })}</p>`,
    };
  return {
    title,
    hasNotices: true,
    content: html`<p class="lead">${request.words('assistants.lead')}</p>
${await shownSwitch(request)}
<div class="card"><h2>${request.text('assistants.token')}</h2>
<p>${request.words('assistants.token.hint')}</p>
<p class="actions"><a class="button" href="${await newTokenLink(request)}">${request.text('assistants.token.create')}</a></p>
<h2>${request.text('assistants.clients')}</h2>
${assistantLines(request, url)}</div>`,
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
  const scopes = new Set(
    served.map(({ scope }) => scope).filter((scope) => scope !== EVERY_SCOPE && !SENSITIVE_SCOPES.has(scope)),
  );
  const form = new URLSearchParams({ name: request.text('assistants.token.name'), expiry: DAYS });
  for (const scope of scopes) form.append('scope', scope);
  return `${request.to('tokens/new')}?${form}`;
}
