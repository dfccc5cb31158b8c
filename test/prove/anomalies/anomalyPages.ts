import type { Fault } from '../../fixture/faults/OutsideCalls';
import { keepPage } from '../../fixture/kept';
import { livedMs } from '../../fixture/livedMs';
import { hiddenFields, SECTION, shownToken } from '../../fixture/section/sectionPanel';
import { decided, PATIENCE_MS, servedFirst, statusesOf } from './anomalyAttempts';
import { attemptOf, type Change, RENAMED } from './anomalyChanges';
import type { Attempt, Outcome } from './anomalyLoop';
import { type AnomalyPanel, DEADLINE_MS } from './anomalyPanel';

/** Who is shown a page and the page itself have the deadline each. */
const LONGEST_MS = 2 * DEADLINE_MS + PATIENCE_MS;

/** A page of the section. */
export async function pageOf(world: AnomalyPanel, page: string): Promise<Attempt> {
  const read = () => fetch(urlOf(world, page));
  const undisturbed = lasting(await servedFirst(() => textOf(read())));
  const make = async () => {
    const { status, text, problems } = await answered(world, read);
    if (status === 200 && lasting(text) !== undisturbed) problems.push(`it is another one: ${text}`);
    return { status, problems };
  };
  return { ...world, make, statuses };
}

/** The form of the section for each change: the page that shows it, where it is sent, and what is filled in. */
const FORMS: Readonly<Record<Change, (id: number, days: number) => readonly [string, string, object]>> = {
  create: () => ['tokens/review?name=test&scope=*&expiry=never', 'tokens', {}],
  rotate: (id) => [`tokens/${id}/rotate`, `tokens/${id}/rotate`, { grace: '3600', expiry: 'keep' }],
  revoke: (id) => [`tokens/${id}/revoke`, `tokens/${id}/revoke`, {}],
  update: (id) => [`tokens/${id}/edit`, `tokens/${id}/edit`, { name: RENAMED, scope: '*', expiry: 'keep' }],
  settings: (_id, days) => [
    'settings',
    'settings',
    { default_expiry_days: String(days), max_expiry_days: '0' },
  ],
};

/** A change by a form of the section. */
export function formOf(world: AnomalyPanel, change: Change): Attempt {
  const { calls, lines } = world;
  const isNew = change === 'create' || change === 'rotate';
  const attempt = attemptOf(world, change, async (id, _fault, days) => {
    const [page, action, fields] = FORMS[change](id, days);
    const shown = await calls.spare(() => servedFirst(() => textOf(fetch(urlOf(world, page)))));
    // A setting whose hidden field is missing is not edited.
    const hidden = hiddenFields(shown, action).filter(
      ([name]) => !name.startsWith('shown_') || name.slice('shown_'.length) in fields,
    );
    const body = new URLSearchParams([...hidden, ...Object.entries(fields)]);
    const before = lines.length;
    const send = () =>
      fetch(urlOf(world, action), {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      });
    const { status, text, problems } = await answered(world, send, 'POST');
    const isDone = status === (isNew ? 200 : 303);
    if (isDone && isNew) {
      const token = shownToken(text);
      const ask = () => calls.spare(() => world.panel.get('/api/v1/me.php', token));
      let answer = await ask();
      // A busy machine may exceed the short deadline by itself.
      if (answer.status === 503) answer = await ask();
      if (answer.status !== 200) problems.push(`the token that is shown gets ${answer.status}`);
    } else if (status === 200) problems.push(`it is not done: ${text}`);
    const written = JSON.stringify(lines.slice(before));
    // The page and its transaction have the same deadline. A page of a new token says that one may be in the list.
    const isUnknown = /"Deadline"|COMMIT_UN/.test(written) || (isNew && !isDone);
    return { status: isDone ? 200 : status, isUnknown, problems };
  });
  return {
    ...attempt,
    statuses: formStatuses,
  };
}

function formStatuses(fault: Fault): readonly number[] {
  // A form is valid for half a day.
  if (fault.outside === 'clock') return [200, 403];
  // An answer with another row may say that there is no such token.
  const isOther = fault.outside === 'statement' && fault.way.startsWith('answers');
  return isOther ? [...statuses(fault), 403, 404] : statuses(fault);
}

/** The statuses of a page that a fault may cause. Without randomness, there is neither a form nor a token. */
function statuses(fault: Fault): readonly number[] {
  if (fault.outside === 'authorize') return decided(fault, { otherwise: 403, thrown: 500 });
  return fault.outside === 'random' ? [500] : statusesOf(fault, false);
}

/** An answer of the section, and what no fault excuses. It has a line in the log if it is an error. */
async function answered(
  { lines, shown, unexpected }: AnomalyPanel,
  ask: () => Promise<Response>,
  method = 'GET',
): Promise<Omit<Outcome, 'problems'> & { readonly text: string; readonly problems: string[] }> {
  const before = lines.length;
  const [answer, lived] = await livedMs(ask);
  const { status } = answer;
  const text = await answer.text();
  keepPage(answer, text, method);
  const written = lines.slice(before);
  const problems = [...shown(text), ...shown(JSON.stringify(written)), ...unexpected()];
  if (lived > LONGEST_MS) problems.push(`it takes ${lived} ms`);
  const failures = written.filter(({ message }) => message === 'panel-api section failed');
  if (failures.length !== (status >= 500 ? 1 : 0))
    problems.push(`${status} has ${failures.length} lines in the log`);
  return { status, text, problems };
}

/** The text of a page that is served. */
async function textOf(asked: Promise<Response>): Promise<string | undefined> {
  const answer = await asked;
  const text = await answer.text();
  return answer.status === 200 ? text : undefined;
}

const urlOf = ({ panel }: AnomalyPanel, path: string) => `${panel.url}${SECTION}/${path}`;

/**
 * A page without its times, the tokens of its forms, and what a list leaves out if only that cannot be read: the number of
 * silent tokens, and the requests of each token.
 */
const lasting = (text: string): string =>
  text
    .replace(/(name="form_token" value=)"[^"]*"/g, '$1')
    .replace(/<time.*?<\/time>/gs, '')
    .replace(/(filter=silent"[^>]*>[^<]*)<span class="count">\d+<\/span>/g, '$1')
    .replace(/<td class="requests".*?<\/td>/gs, '');
