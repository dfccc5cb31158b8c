import { type CallOptions, type Item, PanelApiError, type PanelClient } from '../../client';
import { ANOTHER_FORM, unexpectedAnswer } from '../../client/PanelApiError';
import { RUN_TIMES, runTime } from '../../lib/problems/problems';

/** A check is left out, which is no fault. The message says what the panel does not have. */
export class NotChecked extends Error {}

type Parameters = Readonly<Record<string, unknown>>;

// What the lists have in common. Their own types tie the parameters to one list.
type AnyList = (parameters: never, options: CallOptions) => AsyncIterable<unknown>;

interface Read<T> {
  readonly items: readonly T[];
  /** The fields that the panel supplies. */
  readonly fields: readonly string[];
}

/** Reads the items of a list, with the fields and of the statuses among these that the panel has. */
export async function readAll<T>(
  list: AnyList,
  fields: readonly string[],
  query: Parameters,
  signal: AbortSignal,
): Promise<Read<T>> {
  try {
    const items: T[] = [];
    const texts = fields.filter((field) => !field.endsWith('id') && field !== 'sans');
    for await (const item of list({ ...query, fields } as never, { signal })) {
      requireTexts(texts.map((field) => (item as Parameters)[field] ?? ''));
      items.push(item as T);
    }
    return { items, fields };
  } catch (error) {
    const { parameter, supported = [], allowed = [] } = refusal(error);
    const there = fields.filter((field) => supported.includes(field));
    if (parameter === 'fields' && there.length < fields.length) return readAll(list, there, query, signal);
    const words = [query.status ?? []].flat();
    const known = words.filter((word) => allowed.includes(String(word)));
    if (parameter !== 'status' || known.length === words.length) throw error;
    return readAll(list, fields, { ...query, status: known.length > 0 ? known : undefined }, signal);
  }
}

/** A job or a backup. */
type Run = Partial<Item<'jobs'>>;

const RUN_FIELDS = {
  jobs: ['id', 'type', 'status', ...RUN_TIMES],
  backups: ['id', 'account_id', 'status', 'finished_at', 'started_at'],
};

/** Reads the jobs or backups with these statuses since a moment, as far as their times say, the latest first. */
export async function readRuns(
  client: PanelClient,
  name: 'jobs' | 'backups',
  words: readonly string[],
  since: Date,
  signal: AbortSignal,
): Promise<Read<Run>> {
  const runs = new Map<unknown, Run>();
  let fields: readonly string[] = RUN_FIELDS[name];
  let isRead = false;
  for (const time of RUN_TIMES) {
    if (!fields.includes(time)) continue;
    const query = { status: words, [`${time}_since`]: since };
    const read = await readAll<Run>(client[name], fields, query, signal).catch(ifRefused);
    if (!read) continue;
    isRead = true;
    fields = read.fields;
    for (const run of read.items)
      if (words.includes(run.status ?? '') && runTime(run) >= since.getTime()) runs.set(run.id, run);
  }
  if (!isRead) throw new NotChecked(`${name} (no range of times)`);
  if (!fields.includes('status')) throw new NotChecked(`${name} (no status)`);
  // Those with the same time are read in the order of their ids.
  const items = [...runs.values()].reverse().toSorted((one, other) => runTime(other) - runTime(one));
  return { items, fields };
}

/** Returns undefined for an error with which a query was refused. Throws any other error. */
export function ifRefused(error: unknown): undefined {
  refusal(error);
}

/** What the panel does not serve, of an error with which it refused a query. Throws any other error. */
function refusal(error: unknown): PanelApiError['details'] {
  if (error instanceof PanelApiError && error.code === 'query_invalid') return error.details;
  throw error;
}

/** Throws for a value that is no text: it would be taken for no fault, or shown. */
export function requireTexts(values: readonly unknown[]): void {
  if (!values.every((value) => typeof value === 'string')) throw unexpectedAnswer(ANOTHER_FORM);
}
