import type { ListName, ObjectName } from '../routes';
import type { Members, Request } from './request';
import { type CallOptions, type ClientOptions, createRequest } from './request';
import type { KeyName, PanelClient } from './types';

export type { ErrorCode, ErrorDetails } from '../lib/errors/errorCodes';
export type { ListName, ObjectName } from '../routes';
export { PanelApiError } from './PanelApiError';
export type { CallOptions, ClientOptions } from './request';
export type { Item, List, ListParameters, ObjectData, Page, PanelClient } from './types';

/** Every list, with the name of its key. */
const LISTS: { readonly [N in ListName]: KeyName<N> } = {
  accounts: 'id',
  domains: 'id',
  websites: 'id',
  email: 'id',
  databases: 'id',
  ssl: 'id',
  backups: 'id',
  jobs: 'id',
  cron: 'id',
  services: 'id',
  settings: 'key',
};

/** The resources that are one object, by their methods. */
const OBJECTS: { readonly [N in ObjectName]: string } = {
  me: 'me',
  health: 'health',
  serverHealth: 'server-health',
  openapi: 'openapi',
  releaseAudit: 'release-audit',
};

/** The most that a page may have, so that a list takes the fewest requests of the token's limit. */
const PAGE_ITEMS = 1000;

/** Creates a client of one panel. Throws a TypeError for an invalid `baseUrl` or `token`. */
export function createClient(options: ClientOptions): PanelClient {
  const request = createRequest(options);
  const lists = Object.entries(LISTS).map(([name, key]) => [name, createList(request, name, key)]);
  const readObject = (name: string) => (call?: CallOptions) => request(name, {}, call);
  const objects = Object.entries(OBJECTS).map(([method, name]) => [method, readObject(name)]);
  return Object.fromEntries([...lists, ...objects]);
}

function createList(request: Request, name: string, key: string) {
  async function page(parameters: Members = {}, options?: CallOptions) {
    const limit = parameters.limit ?? PAGE_ITEMS;
    const data = await request(name, { ...parameters, limit }, options);
    return { items: data.items as readonly unknown[], nextCursor: data.next_cursor as string | null };
  }

  async function* read(parameters: Members = {}, options?: CallOptions): AsyncGenerator<unknown> {
    let { cursor } = parameters;
    do {
      const { items, nextCursor } = await page({ ...parameters, cursor }, options);
      yield* items;
      cursor = nextCursor;
    } while (cursor);
  }

  async function get(id: unknown, options?: CallOptions): Promise<unknown> {
    if (String(id).includes(',')) throw new TypeError('The API cannot look for a key that contains a comma.');
    const { items } = await page({ [key]: id ?? '', limit: 1 }, options);
    return items[0] ?? null;
  }

  return Object.assign(read, { page, get });
}
