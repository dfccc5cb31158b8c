import { createHash } from 'node:crypto';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { LostHistory, PlannedChange, RestorePlan } from '../../lib/history/Restores';
import { parseTime } from '../../lib/time/time';
import { field, ifWrong, wholeNumber } from '../field';
import { type Html, html } from '../html';
import type { Answer, Page, PageHandler } from '../Page';
import { ifReadable, type SectionRequest, TOKEN_FIELD } from '../SectionRequest';
import { table } from '../table';
import { lastUse } from '../tokenFacts';

/** The notices that the database was set back, and that it is another installation's. The page is shown in any case. */
export async function historyNotices(request: SectionRequest): Promise<Html> {
  const { restores } = request.parts;
  const read = Promise.all([restores.lost(), restores.otherOwner()]);
  const [lost, owner] = (await ifReadable(request, read)) ?? [null, null];
  const button = (answer: 'copy' | 'moved', words: string) =>
    html`<button name="answer" value="${answer}" class="${answer === 'copy' && 'danger'}">${words}</button> `;
  const buttons = html`<p class="actions">${button('copy', request.text('copy.yes'))}${button('moved', request.text('copy.moved'))}</p>`;
  return html`${lost && html`<div class="problem"><p>${olderWords(request, lost)} ${request.link('restored', request.text('restored.look'))}</p></div>`}
${owner !== null && html`<div class="problem"><p>${request.words('copy.question', { owner })}</p>${await request.form('copy', buttons)}</div>`}`;
}

function olderWords(request: SectionRequest, { newest, known }: LostHistory): Html {
  const newestAt = request.exact(newest?.at ?? null);
  return request.words('restored.older', { newest: newestAt, known: request.exact(known.at) });
}

/** Makes the database that of a copy, or lets the installation keep it under its new name. */
export const answerCopy: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { restores } = request.parts;
  const answer = fields.get('answer');
  const owner = await restores.otherOwner();
  // The question may have been answered since its page was shown.
  if (owner === null) return { goTo: '', done: html`${request.text('copy.late')}` };
  if (answer === 'copy' && !fields.has(CONFIRMED)) return copyPage(request, owner);
  if (answer === 'copy') {
    const count = await restores.makeCopy(request.author);
    return { goTo: '', done: html`${request.text('copy.done', { count })}` };
  }
  if (answer !== 'moved') return { goTo: '' };
  await restores.acceptMove(request.author);
  return { goTo: '', done: html`${request.text('copy.done.moved')}` };
};

const LINES = 'lines';
const SINCE = 'since';
const KEEP = 'keep';
const CONFIRMED = 'confirmed';
/** A larger journal is for the command, in bytes. */
const LARGEST_JOURNAL = 2 ** 24;

/** Asks once more: it cannot be undone. */
async function copyPage(request: SectionRequest, owner: string): Promise<Page> {
  return {
    title: request.text('copy.title'),
    content: await request.form('copy', html`<p>${request.words('copy.sure', { owner })}</p>`, {
      fields: Object.entries({ answer: 'copy', [CONFIRMED]: 'yes' }),
      submit: request.text('copy.yes'),
      isDanger: true,
      more: request.link('', request.text('form.cancel')),
    }),
  };
}

/** Asks for the log of the panel, or for the time of the dump. */
export async function restoredPage(
  request: SectionRequest,
  sent = new URLSearchParams(),
  error?: InvalidInput,
): Promise<Page> {
  const { restores, options } = request.parts;
  const lost = await restores.lost();
  const log = html` rows="8" spellcheck="false"`;
  const content = html`${lost && html`<p class="problem">${olderWords(request, lost)}</p>`}
${options.journal !== undefined && html`<p>${request.text('restored.journal')}</p>`}
${field(request, LINES, { attributes: log, text: sent.get(LINES) ?? '' })}
${[SINCE, KEEP].map((id) => field(request, id, { attributes: html` value="${sent.get(id) ?? ''}"` }))}`;
  return {
    title: request.text('restored.title'),
    subtitle: request.words('restored.lead'),
    problem: error && request.invalid(error),
    content: await request.form('restored', content, { submit: request.text('restored.plan') }),
  };
}

/** Shows what is to be done, and does it if the administrator has confirmed just that. */
export const carryRestoreOut: PageHandler = async (request) => {
  const { fields } = await request.sent();
  return carryOut(request, fields).catch(ifWrong((error) => restoredPage(request, fields, error)));
};

async function carryOut(request: SectionRequest, fields: URLSearchParams): Promise<Answer> {
  const { restores } = request.parts;
  const [lines, since, keep] = [LINES, SINCE, KEEP].map((name) => fields.get(name)?.trim() ?? '');
  const kept = keep ? keep.split(',').map((id) => wholeNumber(id.trim())) : [];
  if (kept.some(Number.isNaN)) throw new InvalidInput(KEEP, 'The ids of tokens are whole numbers.');
  const plan = await restores.plan({
    lines: lines ? lines.split(/\r?\n/) : undefined,
    since: since ? (parseTime(since) ?? Number.NaN) : undefined,
    kept,
    mostBytes: LARGEST_JOURNAL,
  });
  if (fields.get(CONFIRMED) !== digestOf(plan)) return planPage(request, plan, fields);
  await restores.carryOut(plan, request.author);
  return { goTo: '', done: html`${request.text('restored.done', { count: plan.changes.length })}` };
}

/** What tells two plans apart. */
function digestOf({ changes }: RestorePlan): string {
  const done = changes.map(({ token, changes: its }) => [token.id, its]);
  return createHash('sha256').update(JSON.stringify(done)).digest('hex');
}

async function planPage(request: SectionRequest, plan: RestorePlan, sent: URLSearchParams): Promise<Page> {
  const { lost, changes, warnings } = plan;
  const fields = [...sent].filter(([name]) => name !== TOKEN_FIELD && name !== CONFIRMED);
  const entries = table(request, lost, [
    ['audit.when', ({ at }) => request.exact(at)],
    ['audit.who', ({ actor }) => actor],
    ['audit.what', ({ action }) => request.known(`audit.${action}`, action)],
    ['tokens.column.token', ({ token }) => token && html`#${token.id} ${token.name}`],
  ]);
  const link = ({ token: { id, name } }: PlannedChange) =>
    html`${request.link(`tokens/${id}`, name)} <small>#${id}</small>`;
  const actions = table(request, changes, [
    ['tokens.column.token', link, 'heading'],
    ['token.used', ({ token }) => lastUse(request, token)],
    ['restored.action', (one) => request.text(one.changes ? 'restored.narrow' : 'restored.revoke')],
  ]);
  const count = changes.length;
  const content = html`${warnings.map(({ kind, ...values }) => html`<p class="notice warn">${request.words(`audit.lost.${kind}`, values)}</p>`)}
${lost.length > 0 && entries}${count > 0 ? actions : html`<p>${request.text('restored.nothing')}</p>`}`;
  return {
    title: request.text('restored.plan.title'),
    content: await request.form('restored', content, {
      fields: [...fields, [CONFIRMED, digestOf(plan)]],
      submit: count > 0 ? request.text('restored.submit', { count }) : request.text('restored.submit.none'),
      isDanger: true,
      more: request.link('restored', request.text('form.cancel')),
    }),
  };
}
