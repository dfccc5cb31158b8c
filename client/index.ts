import type { ListName } from '../routes';
import { type CallOptions, type ClientOptions, createRequest, type Members, type Request } from './request';
import type { KeyName, PanelClient } from './types';

export type { ErrorCode, ErrorDetails } from '../lib/errors/errorCodes';
export type { ListName, ObjectName } from '../routes';
export { PanelApiError } from './PanelApiError';
export type { CallOptions, ClientOptions } from './request';
export type { Figures, Item, List, ListParameters, ObjectData, Page, PanelClient } from './types';

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

/** The resources that are one object. */
const OBJECTS = ['me', 'health', 'server-health', 'openapi', 'release-audit'];

/** Creates a client of one panel. Throws a TypeError for an invalid `baseUrl` or `token`. */
export function createClient(options: ClientOptions): PanelClient {
  const request = createRequest(options);
  const lists = Object.entries(LISTS).map(([name, key]) => [name, createList(request, name, key)]);
  const objects = OBJECTS.map((name) => {
    const method = name.replace(/-./, ([, letter = '']) => letter.toUpperCase());
    return [method, (call?: CallOptions) => request(name, {}, call)];
  });
  return Object.fromEntries([...lists, ...objects]);
}

function createList(request: Request, name: string, key: string) {
  async function page(parameters: Members = {}, options?: CallOptions) {
    // The most that a page may have: a list then takes the fewest requests of the token's limit.
    const limit = parameters.limit ?? 1000;
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

  const count = ({ count = true, ...rest }: Members = {}, options?: CallOptions) =>
    request(name, { ...rest, count }, options);

  return Object.assign(read, { page, get, count });
}
