import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { JsonSchema } from '../../../lib/json/json';
import type { Answer } from '../../fixture/answer';
import { checkAnswer } from '../../fixture/checkAnswer';
import { leaks } from '../../fixture/faults/leaks';
import type { HostProcess } from '../../fixture/processes/hostProcess';
import { until } from '../../fixture/until';

/** A part of a panel that fails for a while. */
export interface Outage {
  begin(): unknown;
  end(): unknown;
  /** The only answer to a live token while it lasts. Absent if it may be both. */
  readonly answer?: '200' | '503 unavailable';
  /** How long the whole process stands still because of it. Then a request may exceed its deadline. */
  readonly blockedMs?: number;
}

/** A panel in a process of its own, with a live token. */
export interface Site {
  readonly host: HostProcess;
  readonly token: string;
  /** Its OpenAPI document. */
  readonly document: JsonSchema;
  /** What no answer and no line of the log may contain. */
  readonly passwords: Readonly<Record<string, Buffer>>;
  /** Whether its log goes where the test can read it. */
  readonly isLogged: boolean;
}

/** What a client saw. All times are of `performance.now()`. */
interface Use {
  /** Which client asked. */
  readonly client: number;
  readonly question: Question;
  readonly outcome: string;
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly requestId: string | null;
}

interface Question {
  readonly path: string;
  readonly bearer: 'live' | 'unknown' | 'none';
  /** The answer if nothing fails. */
  readonly usual: string;
  /** How many items it has, if it is a list. */
  readonly items?: number;
}

export const DEADLINE_MS = 1000;
/** How many domains the panel has. */
export const DOMAINS = 20;
/** How much longer than the deadline an answer may take. */
const PATIENCE_MS = 300;
/** Others use this machine too: a pause of it makes each client wait once, but no longer than this beyond the deadline. */
const LONGEST_PAUSE_MS = 1000;
const LONGEST_PAGE_MS = 1000;
const HEALED_MS = 2000;
const BEFORE_MS = 300;
const LASTS_MS = 2500;
const CLIENTS = 6;
const PAUSE_MS = 20;

const ME = '/api/v1/me.php';
const QUESTIONS: readonly Question[] = [
  { path: ME, bearer: 'live', usual: '200' },
  { path: '/api/v1/domains.php', bearer: 'live', usual: '200', items: DOMAINS },
  { path: '/api/v1/domains.php?limit=5', bearer: 'live', usual: '200', items: 5 },
  { path: '/api/v1/nope.php', bearer: 'live', usual: '404 not_found' },
  { path: ME, bearer: 'unknown', usual: '401 token_unknown' },
  { path: ME, bearer: 'none', usual: '401 token_missing' },
];
const UNAVAILABLE = '503 unavailable';

/** What an outage showed: everything that broke a promise, and how long after its end the first good answer was sent. */
export interface Findings {
  readonly broken: readonly string[];
  readonly uses: number;
  readonly healedMs: number;
}

/** Uses the panel before, during and after the outage, and compares what happened with what is promised. */
export async function findings(site: Site, outage: Outage): Promise<Findings> {
  const { host, token, document } = site;
  const printedBefore = host.printed().length;
  const seen = { uses: [] as Use[], broken: [] as string[], text: '' };
  const stopping = new AbortController();
  const load = [
    ...QUESTIONS.slice(0, CLIENTS).map((_, first) => askUntil(stopping.signal, site, first, document, seen)),
    readPageUntil(stopping.signal, host, LONGEST_PAGE_MS + (outage.blockedMs ?? 0), seen.broken),
  ];
  const { uses, broken } = seen;
  const isLive = ({ question }: Use) => question.bearer === 'live' && question.usual === '200';
  let beginningMs: number;
  let beganMs: number;
  let endingMs: number;
  let endedMs: number;
  const isLate = ({ sentMs }: Use) => sentMs > endedMs + HEALED_MS;
  try {
    await sleep(BEFORE_MS);
    beginningMs = performance.now();
    await outage.begin();
    beganMs = performance.now();
    await sleep(LASTS_MS);
    endingMs = performance.now();
    await outage.end();
    endedMs = performance.now();
    await sleep(HEALED_MS + 500);
    // On a busy machine the clients may be late.
    await until(() => uses.some((use) => isLive(use) && isLate(use)));
  } finally {
    stopping.abort();
    await Promise.all(load);
  }

  const during = uses.filter(({ sentMs, answeredMs }) => sentMs > beganMs && answeredMs < endingMs);
  const late = uses.filter(isLate);
  for (const { question, outcome } of uses)
    if (outcome !== question.usual && outcome !== UNAVAILABLE) broken.push(`${asked(question)}: ${outcome}`);
  broken.push(...lateAnswers(uses, DEADLINE_MS + (outage.blockedMs ?? 0)));
  for (const use of during.filter(isLive))
    if (outage.answer && use.outcome !== outage.answer)
      broken.push(`${asked(use.question)}: ${use.outcome} while it lasted`);
  if (!during.some(isLive)) broken.push('no live token was used while it lasted');
  for (const { question, outcome } of uses.filter(({ answeredMs }) => answeredMs < beginningMs))
    if (outcome !== question.usual) broken.push(`${asked(question)}: ${outcome} before it began`);
  for (const { question, outcome } of late)
    if (outcome !== question.usual) broken.push(`${asked(question)}: ${outcome} when it was long over`);
  if (!host.alive()) broken.push('the process has ended');
  if (site.isLogged) broken.push(...(await logFaults(host, printedBefore, uses)));
  const secrets = {
    ...site.passwords,
    token: Buffer.from(token),
    hash: createHash('sha256').update(token).digest(),
  };
  const shown = leaks(seen.text + host.printed().slice(printedBefore), secrets);
  broken.push(...shown.map((secret) => `a ${secret} is shown`));
  const lastBadMs = Math.max(endedMs, ...uses.filter((use) => !isUsual(use)).map(({ sentMs }) => sentMs));
  return { broken: [...new Set(broken)], uses: uses.length, healedMs: Math.round(lastBadMs - endedMs) };
}

const isUsual = ({ outcome, question }: Use) => outcome === question.usual;
const asked = ({ path, bearer }: Question) => `${path} (token: ${bearer})`;

/** The answers that were later than the deadline: of each client one may be, because the machine may pause. */
function lateAnswers(uses: readonly Use[], deadlineMs: number): readonly string[] {
  const late = uses.filter((use) => tookMs(use) > deadlineMs + PATIENCE_MS);
  return late.flatMap((use, index) => {
    const isFirst = late.findIndex(({ client }) => client === use.client) === index;
    if (isFirst && tookMs(use) <= deadlineMs + LONGEST_PAUSE_MS) return [];
    return [`${asked(use.question)}: answered after ${Math.round(tookMs(use))} ms`];
  });
}

const tookMs = ({ sentMs, answeredMs }: Use) => answeredMs - sentMs;

/** A client that asks all questions again and again. */
async function askUntil(
  signal: AbortSignal,
  { host, token }: Site,
  first: number,
  document: JsonSchema,
  seen: { uses: Use[]; broken: string[]; text: string },
): Promise<void> {
  const bearers = { live: token, unknown: `${token.slice(0, -1)}_`, none: undefined };
  for (let turn = first; !signal.aborted; turn += 1) {
    const question = QUESTIONS[turn % QUESTIONS.length]!;
    const sentMs = performance.now();
    const answer = await host.get(question.path, bearers[question.bearer]).catch(String);
    const answeredMs = performance.now();
    const isAnswer = typeof answer !== 'string';
    const outcome = isAnswer ? outcomeOf(answer) : `no answer: ${answer}`;
    const requestId = isAnswer ? answer.headers.get('x-request-id') : null;
    seen.uses.push({ client: first, question, outcome, sentMs, answeredMs, requestId });
    if (isAnswer) {
      seen.text += `${inspect([...answer.headers])}\n${answer.text}\n`;
      await checkAnswer(question.path, 'GET', answer, async () => document).catch((error) =>
        seen.broken.push(String(error)),
      );
      const items = answer.body.data?.items?.length;
      if (answer.status === 200 && items !== question.items)
        seen.broken.push(`${asked(question)}: ${items} items`);
    }
    await sleep(PAUSE_MS);
  }
}

const outcomeOf = ({ status, body }: Answer) => [status, body.error?.code].filter(Boolean).join(' ');

/** A client of the panel's own page. */
async function readPageUntil(
  signal: AbortSignal,
  host: HostProcess,
  longestMs: number,
  broken: string[],
): Promise<void> {
  while (!signal.aborted) {
    const sentMs = performance.now();
    const page = await fetch(`${host.url}/page`).then((response) => response.text(), String);
    const took = performance.now() - sentMs;
    if (page !== 'the panel') broken.push(`the panel's own page: ${page}`);
    if (took > longestMs) broken.push(`the panel's own page took ${Math.round(took)} ms`);
    await sleep(PAUSE_MS);
  }
}

/** Compares the lines about requests with the answers: each has one line, with its status. */
async function logFaults(host: HostProcess, from: number, uses: readonly Use[]): Promise<readonly string[]> {
  const lines = () =>
    host
      .printed()
      .slice(from)
      .split('\n')
      .filter((line) => line.startsWith('{"message":"panel-api request"') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
  await until(() => lines().length >= uses.length);
  const logged = new Map<string, string[]>();
  for (const { request_id, status, error_code } of lines())
    logged.set(request_id, [
      ...(logged.get(request_id) ?? []),
      [status, error_code].filter(Boolean).join(' '),
    ]);
  const wrong = uses.filter(
    ({ requestId, outcome }) => requestId === null || logged.get(requestId)?.join() !== outcome,
  );
  const extra = logged.size - new Set(uses.map(({ requestId }) => requestId)).size;
  return [
    ...wrong.map(
      ({ question, outcome, requestId }) =>
        `${asked(question)}: ${outcome}, logged as ${logged.get(requestId ?? '')?.join() ?? 'nothing'}`,
    ),
    ...(extra === 0 ? [] : [`${extra} lines about requests that were not sent`]),
  ];
}
