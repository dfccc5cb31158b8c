import { createHash } from 'node:crypto';
import { withTimeout } from '../../lib/async/withTimeout';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { RestorePlan } from '../../lib/history/Restores';
import { parseTime } from '../../lib/time/time';
import { field, ifWrong, wholeNumber } from '../field';
import { type Html, hidden, html } from '../html';
import type { Page, PageHandler } from '../Page';
import { type SectionRequest, TOKEN_FIELD } from '../SectionRequest';
import { table } from '../table';
import { lastUse } from '../tokenFacts';
import { partTimeout } from './listChecks';

/** The notices that the database was set back, and that it is another installation's. The page is shown in any case. */
export async function historyNotices(request: SectionRequest): Promise<Html> {
  const { restores } = request.parts;
  const read = Promise.all([restores.lost(), restores.otherOwner()]);
  const [lost, owner] = await withTimeout(read, partTimeout(request)).catch(() => [null, null] as const);
  const answer = (name: string, words: string, kind: string) =>
    html`<button name="answer" value="${name}" class="${kind}">${words}</button> `;
  const buttons = html`<p class="actions">${answer('copy', request.text('copy.yes'), 'danger')}${answer('moved', request.text('copy.moved'), '')}</p>`;
  return html`${lost && html`<div class="problem"><p>${request.words('restored.older', timesOf(request, lost))} ${request.link('restored', request.text('restored.look'))}</p></div>`}
${owner !== null && html`<div class="problem"><p>${request.words('copy.question', { owner })}</p>${await request.form('copy', buttons)}</div>`}`;
}

type Lost = NonNullable<Awaited<ReturnType<SectionRequest['parts']['restores']['lost']>>>;

function timesOf(request: SectionRequest, { newest, known }: Lost) {
  return { newest: request.exact(newest?.at ?? null), known: request.exact(known.at) };
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
  const content = html`<p>${request.words('copy.sure', { owner })}</p>${hidden([
    ['answer', 'copy'],
    [CONFIRMED, 'yes'],
  ])}`;
  return {
    title: request.text('copy.title'),
    content: await request.form('copy', content, {
      submit: request.text('copy.yes'),
      isDanger: true,
      more: request.link('', request.text('form.cancel')),
    }),
  };
}

/** Asks for the log of the panel, or for the time of the dump. */
export async function restoredPage(request: SectionRequest, sent = new URLSearchParams()): Promise<Page> {
  const { restores, options } = request.parts;
  const lost = await restores.lost();
  const log = html` rows="8" spellcheck="false"`;
  const content = html`${lost && html`<p class="problem">${request.words('restored.older', timesOf(request, lost))}</p>`}
${options.journal !== undefined && html`<p>${request.text('restored.journal')}</p>`}
${field(request, LINES, { attributes: log, text: sent.get(LINES) ?? '' })}
${field(request, SINCE, { attributes: html` value="${sent.get(SINCE) ?? ''}"` })}
${field(request, KEEP, { attributes: html` value="${sent.get(KEEP) ?? ''}"` })}`;
  return {
    title: request.text('restored.title'),
    subtitle: request.words('restored.lead'),
    content: await request.form('restored', content, { submit: request.text('restored.plan') }),
  };
}

/** Shows what is to be done, and does it if the administrator has confirmed just that. */
export const carryRestoreOut: PageHandler = async (request) => {
  const { fields } = await request.sent();
  const { restores } = request.parts;
  return plan(request, fields)
    .then(async (planned) => {
      if (fields.get(CONFIRMED) !== digestOf(planned)) return planPage(request, planned, fields);
      await restores.carryOut(planned, request.author);
      const count = planned.changes.length;
      return { goTo: '', done: html`${request.text('restored.done', { count })}` };
    })
    .catch(
      ifWrong(async (error) => ({
        ...(await restoredPage(request, fields)),
        problem: request.invalid(error),
      })),
    );
};

async function plan(request: SectionRequest, fields: URLSearchParams): Promise<RestorePlan> {
  const [lines, since, keep] = [LINES, SINCE, KEEP].map((name) => fields.get(name)?.trim() ?? '');
  const kept = keep ? keep.split(',').map((id) => wholeNumber(id.trim())) : [];
  if (kept.some(Number.isNaN)) throw new InvalidInput(KEEP, 'The ids of tokens are whole numbers.');
  return request.parts.restores.plan({
    lines: lines ? lines.split(/\r?\n/) : undefined,
    since: since ? (parseTime(since) ?? Number.NaN) : undefined,
    kept,
    mostBytes: LARGEST_JOURNAL,
  });
}

/** What tells two plans apart. */
function digestOf({ changes }: RestorePlan): string {
  const done = changes.map(({ token, changes: its }) => [token.id, its]);
  return createHash('sha256').update(JSON.stringify(done)).digest('hex');
}

async function planPage(request: SectionRequest, planned: RestorePlan, sent: URLSearchParams): Promise<Page> {
  const { lost, changes, warnings } = planned;
  const fields = [...sent].filter(([name]) => name !== TOKEN_FIELD && name !== CONFIRMED);
  const token = ({ token_id: id, token_name: name = '' }: RestorePlan['lost'][number]) =>
    id !== null && html`#${id} ${name}`;
  const entries = table(request, lost, [
    ['audit.when', ({ at }) => request.exact(at)],
    ['audit.who', ({ actor }) => actor],
    ['audit.what', ({ action }) => request.known(`audit.${action}`, action)],
    ['tokens.column.token', token],
  ]);
  const actions = table(request, changes, [
    [
      'tokens.column.token',
      (one) =>
        html`${request.link(`tokens/${one.token.id}`, one.token.name)} <small>#${one.token.id}</small>`,
      'heading',
    ],
    ['token.used', (one) => lastUse(request, one.token)],
    ['restored.action', (one) => request.text(one.changes === null ? 'restored.revoke' : 'restored.narrow')],
  ]);
  const content = html`${warnings.map(({ kind, ...values }) => html`<p class="notice warn">${request.words(`audit.lost.${kind}`, values)}</p>`)}
${lost.length > 0 && entries}${changes.length > 0 ? actions : html`<p>${request.text('restored.nothing')}</p>`}
${hidden([...fields, [CONFIRMED, digestOf(planned)]])}`;
  return {
    title: request.text('restored.plan.title'),
    content: await request.form('restored', content, {
      submit:
        changes.length === 0
          ? request.text('restored.submit.none')
          : request.text('restored.submit', { count: changes.length }),
      isDanger: true,
      more: request.link('restored', request.text('form.cancel')),
    }),
  };
}
