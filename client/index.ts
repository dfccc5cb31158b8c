import { type ClientOptions, checkNames } from './options';
import { ANOTHER_FORM, unexpectedAnswer } from './PanelApiError';
import type { CallOptions, ConditionalOptions, Members, Requests } from './request';
import { createRequests } from './request';
import { resources } from './resources';
import { createSync } from './sync';
import type { PanelClient } from './types';

export type { ErrorCode, ErrorDetails } from '../lib/errors/errorCodes';
export type { ListName, ObjectName } from '../routes';
export type { ClientOptions } from './options';
export { PanelApiError } from './PanelApiError';
export type { CallOptions, ConditionalOptions } from './request';
export type { CopyMeta, Store } from './Store';
export { SuspiciousLoss } from './sync';
export type {
  Figures,
  Item,
  List,
  ListParameters,
  ObjectData,
  Page,
  PanelClient,
  SyncOptions,
  SyncResult,
} from './types';

/** Creates a client of one panel. Throws a TypeError for a wrong option. */
export function createClient(options: ClientOptions): PanelClient {
  const requests = createRequests(options);
  const methods = Object.entries(resources).map(([name, key]) => {
    const object = (call?: Partial<ConditionalOptions>) => requests.send(requests.urlOf(name, {}), call);
    const method = name.replace(/-./, ([, letter = '']) => letter.toUpperCase());
    return [method, key === null ? object : createList(requests, name, key)];
  });
  return Object.fromEntries([...methods, ['sync', createSync(requests)]]);
}

function createList({ send, urlOf }: Requests, name: string, key: string) {
  async function page(parameters: Members = {}, options?: Partial<ConditionalOptions>) {
    // The most that a page may have: a list then takes the fewest requests of the token's limit.
    const limit = parameters.limit ?? 1000;
    const data = await send(urlOf(name, { ...parameters, limit }), options);
    if (!data) return null;
    const { items, next_cursor: nextCursor = null, total = 0, etag, unknown_words: unknownWords } = data;
    const hasKey = (item: unknown) => ['string', 'number', 'bigint'].includes(typeof Object(item)[key]);
    if (!Array.isArray(items) || !items.every(hasKey) || !isCount(total))
      throw unexpectedAnswer(ANOTHER_FORM);
    if (nextCursor !== null && typeof nextCursor !== 'string') throw unexpectedAnswer(ANOTHER_FORM);
    return { items: items as readonly unknown[], nextCursor, etag, unknownWords };
  }

  async function* read(parameters: Members = {}, options: CallOptions = {}): AsyncGenerator<unknown> {
    checkNames(options, ['signal']);
    let { cursor } = parameters;
    const sent = new Set<unknown>();
    do {
      sent.add(cursor);
      const { items = [], nextCursor } = (await page({ ...parameters, cursor }, options)) ?? {};
      if (sent.has(nextCursor))
        throw unexpectedAnswer('The panel sent the same cursor again, so the list has no end.');
      for (const item of items) {
        options.signal?.throwIfAborted();
        yield item;
      }
      cursor = nextCursor;
    } while (cursor);
  }

  async function get(id: unknown, options: CallOptions = {}): Promise<unknown> {
    checkNames(options, ['signal']);
    const found = await page({ [key]: id ?? '', limit: 1 }, options);
    return found?.items[0] ?? null;
  }

  async function count({ count = true, ...rest }: Members = {}, options?: Partial<ConditionalOptions>) {
    const data = await send(urlOf(name, { ...rest, count }), options);
    if (data && !isCount(data.total)) throw unexpectedAnswer(ANOTHER_FORM);
    const { unknown_words: unknownWords, ...figures } = data ?? {};
    return data && { ...figures, unknownWords };
  }

  return Object.assign(read, { page, get, count });
}

function isCount(total: unknown): boolean {
  return Number.isSafeInteger(total) && Number(total) >= 0;
}
