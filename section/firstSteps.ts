import type { SettingDescription } from '../lib/settings/Settings';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { fixedBy, switchForm } from './apiSwitch';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

type Step = 'on' | 'token' | 'call';

/** The steps from a new installation to the first answer. The button of the next step is the main one. */
export async function firstSteps(
  request: SectionRequest,
  enabled: SettingDescription,
  tokens: readonly TokenRecord[],
): Promise<Html> {
  const isOn = enabled.value === true;
  const isFixed = enabled.source === 'panel';
  const token = tokens.find(({ state }) => state === 'active');
  const next: Step = !isOn && !isFixed ? 'on' : token ? 'call' : 'token';
  const link = (step: Step, path: string, words: string) =>
    html`<a class="button${step === next ? ' primary' : ''}" href="${request.to(path)}">${words}</a>`;
  const button = isOn || isFixed ? null : await switchForm(request, next === 'on');
  return html`<h2>${request.text('steps.title')}</h2>
<ol class="steps">${step(request, 'on', isOn, isFixed ? fixedBy(request, enabled) : request.words('steps.on.meaning'), button)}
${step(request, 'token', token !== undefined, token ? createdToken(request, token) : request.words('steps.token.meaning'), link('token', 'tokens/new', request.text('steps.token')))}
${step(request, 'call', false, request.words('steps.call.meaning'), link('call', 'reference', request.text('steps.call.link')))}</ol>`;
}

/** One step with its button, which a step that is done does not have. */
function step(request: SectionRequest, name: Step, isDone: boolean, words: Html, button: Html | null): Html {
  const done = html`<span class="unseen">${request.text('steps.done')}</span> `;
  return html`<li${isDone ? html` class="done"` : null}><div><b>${isDone ? done : null}${request.text(`steps.${name}`)}</b>
<p>${words}</p></div>${isDone ? null : button}</li>`;
}

function createdToken(request: SectionRequest, { id, name, createdAt }: TokenRecord): Html {
  const token = html`<a href="${request.to(`tokens/${id}`)}">${name}</a>`;
  return request.words('steps.token.done', { token, time: request.relative(createdAt) });
}
