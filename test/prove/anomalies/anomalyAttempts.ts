import { withTimeout } from '../../../lib/async/withTimeout';
import { ApiError } from '../../../lib/errors/ApiError';
import { errorRow } from '../../../lib/errors/errorCodes';
import type { AnyOperation } from '../../../lib/fields/Operation';
import type { ApiRequest } from '../../../lib/requests/ApiRequest';
import { asApiError, deadlineError } from '../../../lib/requests/asApiError';
import { PanelReader } from '../../../lib/requests/PanelReader';
import { installationOf } from '../../../middleware/PanelApi';
import { type Fault, settle } from '../../fixture/faults/OutsideCalls';
import { livedMs } from '../../fixture/livedMs';
import type { Attempt, Outcome } from './anomalyLoop';
import { type AnomalyPanel, DEADLINE_MS } from './anomalyPanel';

/** How much longer than the deadline an answer may take. */
export const PATIENCE_MS = 800;

/** Requests of this path. */
export async function requestOf(world: AnomalyPanel, path: string): Promise<Attempt> {
  const { panel, token } = world;
  const items = await servedFirst(async () => {
    const { status, body } = await panel.get(path, token);
    return status === 200 ? itemsOf(body.data) : undefined;
  });
  const isCounted = counted();
  const make = () =>
    logged(world, async () => {
      const signal = AbortSignal.timeout(10 * DEADLINE_MS + PATIENCE_MS);
      const { status, text, body, headers } = await panel.get(path, token, { signal });
      const problems = world.shown(text);
      if (status === 200 && itemsOf(body.data) !== items) problems.push(`it has other items: ${text}`);
      if (status === 200 && !isCounted(headers))
        problems.push(`it is not counted: ${headers.get('ratelimit')}`);
      return { status, problems };
    });
  return { ...world, make, statuses: (fault) => statusesOf(fault, path.endsWith('/jobs.php')) };
}

/** What the first answer that is served contains: on a busy machine, others exceed the deadline. */
export async function servedFirst<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const served = await ask();
    if (served !== undefined) return served;
  }
  throw new Error('It is never served.');
}

/** The operation as values, as the mounts for programs read it, without the envelope and HTTP. */
export async function operationOf(world: AnomalyPanel, operation: AnyOperation): Promise<Attempt> {
  const installation = installationOf(world.panel.api)!;
  const { endpoints, requests } = installation;
  const arrival = {
    id: 'anomaly',
    method: 'GET',
    endpoint: endpoints.find(({ name }) => name === operation.name)!,
    clientIp: '127.0.0.1',
    addressForgeable: false,
    addressForwarded: false,
    secure: false,
    prefix: () => '',
    origin: () => null,
  };
  const readFor = async (request: ApiRequest): Promise<object> => {
    const reader = await PanelReader.admit(request, installation);
    if (operation.kind === 'object') return reader.object(operation);
    return (await reader.list(operation.name)).page({ limit: '100' });
  };
  const call = async () => {
    const request = requests.open(arrival, world.token);
    const result = await withTimeout(readFor(request), DEADLINE_MS, deadlineError).catch(asApiError);
    if (result instanceof ApiError) request.fail(result);
    const status = result instanceof ApiError ? errorRow(result.code).status : 200;
    request.finish({ status, aborted: false, bytes: 0 });
    return result;
  };
  const undisturbed = await servedFirst(async () => {
    const result = await call();
    return result instanceof ApiError ? undefined : unchanging(result);
  });
  const make = () =>
    logged(world, async () => {
      const result = await call();
      const status = result instanceof ApiError ? errorRow(result.code).status : 200;
      const problems = world.shown(JSON.stringify(result));
      if (status === 200 && unchanging(result) !== undisturbed)
        problems.push(`it is another one: ${JSON.stringify(result)}`);
      return { status, problems };
    });
  return { ...world, make, statuses: (fault) => statusesOf(fault, operation.name === 'jobs') };
}

/** What a fault of a function causes by which the panel decides: never 200. */
export function decided(
  { way }: Fault,
  { otherwise, thrown }: Readonly<Record<'otherwise' | 'thrown', number>>,
): readonly number[] {
  if (way.startsWith('answers')) return [otherwise];
  return [way.startsWith('throws') ? thrown : 503];
}

/** The statuses that a fault may cause, by the contract. `isFunction`: what is read is a function of the panel. */
export function statusesOf(fault: Fault, isFunction: boolean): readonly number[] {
  const { outside, way } = fault;
  if (outside === 'switch') return decided(fault, { otherwise: 503, thrown: 503 });
  if (['logger', 'clock', 'random'].includes(outside)) return [200];
  // What the panel's function throws or answers is an internal error, like what a database answers that is no row.
  const isWrong = way.startsWith('answers') || (isFunction && outside === 'function');
  return isWrong ? [200, 500, 503] : [200, 503];
}

/** Makes an attempt that ends in time and has one log line with its status. */
async function logged(
  { lines, shown, unexpected }: AnomalyPanel,
  task: () => Promise<Outcome>,
): Promise<Outcome> {
  const before = lines.length;
  const requests = () => lines.slice(before).filter(({ message }) => message === 'panel-api request');
  try {
    const [{ status, problems }, lived] = await livedMs(task);
    // The line is written when the response is closed, which the client may notice earlier.
    for (let tries = 0; tries < 200 && requests().length === 0; tries += 1) await settle();
    const found = [...problems, ...unexpected(), ...shown(JSON.stringify(lines.slice(before)))];
    if (lived > DEADLINE_MS + PATIENCE_MS) found.push(`it takes ${lived} ms`);
    const statuses = requests().map((line) => line.status);
    if (statuses.length !== 1 || statuses[0] !== status) found.push(`${status} is logged as ${statuses}`);
    return { status, problems: found };
  } catch (error) {
    return { status: 0, problems: [`there is no correct answer: ${error}`, ...unexpected()] };
  }
}

/** Returns a function that says whether each answer shows that its request was counted after the one before. */
function counted() {
  let last = { left: Infinity, seconds: 0 };
  return (headers: Headers): boolean => {
    const [left = Number.NaN, seconds = Number.NaN] = (headers.get('ratelimit')?.match(/\d+/g) ?? []).map(
      Number,
    );
    const before = last;
    last = { left, seconds };
    // With more seconds left, a new window has begun.
    return left < before.left || seconds > before.seconds;
  };
}

/** Members that the clock or a use changes. */
const CHANGING = ['days_left', 'next_run_at', 'checked_at', 'last_used_at', 'remaining', 'resets_at'];

const unchanging = (value: unknown): string =>
  JSON.stringify(value, (name, member) => (CHANGING.includes(name) ? undefined : member));

const itemsOf = ({ items = null }: { readonly items?: unknown }): string => unchanging(items);
