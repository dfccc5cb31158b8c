import { check, checkNames } from './options';
import { ANOTHER_FORM, unexpectedAnswer } from './PanelApiError';
import type { Requests, WholeList } from './request';
import { resources } from './resources';
import { type CopyMeta, type Store, storeError } from './Store';
import type { SyncOptions } from './types';

/** A list lacks more than half of the rows of its copy, which is as it was. */
export class SuspiciousLoss extends Error {
  override readonly name = 'SuspiciousLoss';
  /** How many items the copy has. */
  declare readonly rows: number;
  /** How many of them are not in the list. */
  declare readonly lost: number;
}

/** Parameters that leave rows out, or are options. */
const NO_FILTERS: readonly string[] = ['limit', 'cursor', 'order', 'count', 'sum', 'fields'];

/** Marks a store while a run brings it up to date. */
const RUNNING = Symbol.for('koa-panel-api/client');

/** A store, or a Map. */
type GivenStore = Store & { set?(key: unknown, item: unknown): unknown };

/** Returns the method `sync` of a client. */
export function createSync(requests: Requests) {
  return async (name: string, store: GivenStore, options: SyncOptions = {}) => {
    checkNames(options, ['filters', 'fields', 'allowLoss', 'signal']);
    const key = resources[name];
    check(typeof key === 'string', 'The first argument of sync must be the name of a list.');
    const { filters = {}, fields, allowLoss = false } = options;
    // A Map or an array has no filters by their names: the copy would be that of all rows.
    check(Object.prototype.toString.call(filters) === '[object Object]', 'filters must be an object.');
    // As texts, undefined, null and an empty array are empty.
    for (const [filter, value] of Object.entries(filters))
      check(`${[value]}` !== '' && !NO_FILTERS.includes(filter), `${filter} must be a filter with a value.`);
    check(typeof allowLoss === 'boolean', 'allowLoss must be a boolean.');
    const has = (method: keyof GivenStore) => typeof Object(store)[method] === 'function';
    const isStore = has('get') && (has('put') || has('set')) && has('delete') && has('keys');
    check(isStore, 'A store must be a Map, or have the methods get, put, delete and keys.');
    check(has('getMeta') === has('putMeta'), 'A store must have both getMeta and putMeta, or neither.');
    check(has('putMeta') || !has('transaction'), 'A store with transaction must have getMeta and putMeta.');
    const url = requests.urlOf(name, { ...filters, fields });
    url.searchParams.sort();
    const run = () => update(requests, store, String(key), url, options);
    if (RUNNING in store) throw storeError('COPY_BUSY');
    // Throws for a store that is frozen.
    Object.defineProperty(store, RUNNING, { value: true, configurable: true });
    try {
      return await (store.transaction ? store.transaction(run) : run());
    } finally {
      Reflect.deleteProperty(store, RUNNING);
    }
  };
}

async function update({ send }: Requests, store: GivenStore, key: string, url: URL, options: SyncOptions) {
  const putMeta = (meta: CopyMeta) => (store.putMeta ? store.putMeta(meta) : Object.assign(store, { meta }));
  const put = (id: unknown, item: unknown) => (store.put ? store.put(item, id) : store.set?.(id, item));
  const meta = (await (store.getMeta ? store.getMeta() : store.meta)) ?? null;
  let rows = 0;
  for await (const _id of await store.keys()) rows += 1;
  if (meta ? meta.source !== url.href : rows > 0) throw storeError('COPY_FOREIGN');
  const at = new Date().toISOString();
  const counts = { created: 0, changed: 0, deleted: 0, unchanged: 0, complete: true as const };
  const etag = meta?.rows === rows ? meta.etag : null;
  const list = await send(url, { signal: options.signal, etag }, true);
  if (list === null) {
    await putMeta({ ...(meta as CopyMeta), at });
    return { ...counts, unchanged: rows };
  }
  // A whole number of a usual size takes a byte: in a Set, a million of them would take 20 to 50 MB.
  const [usual, others] = [new Uint8Array(2 ** 24), new Set<unknown>()];
  const isUsual = (id: unknown): id is number => typeof id === 'number' && id in usual;
  const isSeen = (id: unknown) => (isUsual(id) ? usual[id] === 1 : others.has(id));
  const held = new Map<unknown, unknown>();
  for await (const item of list.items as WholeList) {
    const id = Object(item)[key];
    if (!/string|number|bigint/.test(typeof id) || isSeen(id)) throw unexpectedAnswer(ANOTHER_FORM);
    if (isUsual(id)) usual[id] = 1;
    else others.add(id);
    const known = (await store.get(id)) ?? null;
    const change = known === null ? 'created' : isEqual(known, item) ? 'unchanged' : 'changed';
    counts[change] += 1;
    if (change !== 'unchanged') await (store.transaction ? put(id, item) : held.set(id, item));
  }
  // The list was complete.
  const gone: unknown[] = [];
  for await (const id of await store.keys()) if (!isSeen(id)) gone.push(id);
  // Otherwise the copy would lose items, for example if `keys` returns numbers as texts.
  if (rows - gone.length !== counts.changed + counts.unchanged) throw storeError('COPY_DAMAGED');
  // A copy of fewer rows may lose any number of them.
  const sentence = `${gone.length} of ${rows} rows are gone. If that is right, call sync with allowLoss: true.`;
  if (gone.length > rows / 2 && rows >= 10 && !options.allowLoss)
    throw Object.assign(new SuspiciousLoss(sentence), { rows, lost: gone.length });
  const size = rows - gone.length + counts.created;
  const next = { source: url.href, etag: list.etag as string | null, at, rows: size };
  // If the process ends before the last change, the tag must not vouch for the copy.
  if (held.size + gone.length > 0) await putMeta({ ...next, etag: null, at: null });
  for (const [id, item] of held) await put(id, item);
  for (const id of gone) await store.delete(id);
  await putMeta(next);
  return { ...counts, deleted: gone.length };
}

/** Whether two values of JSON are the same, whatever the order of their members. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object(one) !== one || Object(other) !== other) return one === other;
  const [a, b, names] = [Object(one), Object(other), Object.keys(one as object)];
  if (names.length !== Object.keys(b).length || Array.isArray(a) !== Array.isArray(b)) return false;
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]));
}
