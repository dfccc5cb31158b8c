import type { CopyMeta, Item, ListParameters, PanelClient, Store } from '../../client';
import { FileStore } from '../../client/FileStore';

// What a program may write with the client. Each line below an expectation must not compile.

export async function right(client: PanelClient): Promise<void> {
  for await (const { id, domain, status, account_id } of client.domains({
    status: 'active',
    account_id: [5, 7n],
  })) {
    const key: number | bigint = id;
    const name: string = domain;
    const word: string = status;
    const account: number | bigint | string | null | undefined = account_id;
    void [key, name, word, account];
  }
  const { items, nextCursor } = await client.jobs.page({
    limit: 20,
    order: '-queued_at',
    queued_at_since: new Date(),
  });
  const cursor: string | null = nextCursor;
  void client.jobs.page({ cursor: cursor ?? undefined });
  const { total, counts, sums } = await client.accounts.count({
    role: 'customer',
    count: 'status',
    sum: ['disk_used_bytes'],
  });
  const counted: number = total + (counts?.active ?? 0);
  const used: number | bigint | undefined = sums?.disk_used_bytes;
  void [counted, used];
  const shown = await client.domains.count({ count: 'status' });
  const active: number | undefined = shown.counts.active;
  const panelsOwn: number | undefined = shown.counts["the panel's own"];
  const flags = await client.backups.count({ count: 'encrypted', sum: ['size_bytes'] });
  const encrypted: number | undefined = flags.counts.true;
  const all: number = Object.values(flags.counts).reduce((sum, one) => sum + one, 0);
  const bytes: number | bigint = flags.sums.size_bytes;
  void [active, panelsOwn, encrypted, all, bytes];
  const { etag } = await client.jobs.page();
  const unchanged: null | { readonly nextCursor: string | null } = await client.jobs.page({}, { etag });
  const same: null | { readonly total: number } = await client.jobs.count({ count: 'status' }, { etag });
  const health: null | { readonly status: string } = await client.health({ etag });
  const healthy: string = (await client.health()).status;
  void [unchanged, same, health, healthy];
  const [job] = items;
  const attempts: number | bigint | null | undefined = job?.attempts;
  const setting: Item<'settings'> | null = await client.settings.get('panel.name');
  const { rate_limit, endpoints } = await client.me({ signal: AbortSignal.timeout(1000) });
  const remaining: number | bigint = rate_limit.remaining;
  const paths: readonly string[] = endpoints.map(({ path }) => path);
  const load: number = (await client.serverHealth()).load.one;
  void [attempts, setting, remaining, paths, load];
}

type Domain = Item<'domains'>;

/** What a copy can be stored in. */
export async function stores(client: PanelClient, own: Store<number | bigint, Domain>): Promise<void> {
  const map = new Map<number | bigint, Domain>();
  const { created, changed, deleted, unchanged, complete } = await client.sync('domains', map);
  const counts: number = created + changed + deleted + unchanged;
  const isComplete: true = complete;
  await client.sync('domains', new Map());
  await client.sync('domains', own, { filters: { account_id: 7, search: 'shop' }, allowLoss: true });
  const file = new FileStore<Domain>('domains.copy');
  await client.sync('domains', file, { signal: AbortSignal.timeout(1000) });
  const item: Domain | null = file.get(1);
  const meta: CopyMeta | null = file.getMeta();
  await client.sync('settings', new FileStore('settings.copy'));
  const some = new Map<number | bigint, { readonly id: number | bigint; readonly status: string }>();
  await client.sync('domains', some, { fields: ['status'] });
  void [counts, isComplete, item, meta];
}

// @ts-expect-error: the store is one of another list.
export const otherStore = (client: PanelClient, own: Store<number, Domain>) => client.sync('settings', own);

// @ts-expect-error: a Set has no items by key.
export const noStore = (client: PanelClient) => client.sync('domains', new Set());

export const pageOfCopy = (client: PanelClient) =>
  // @ts-expect-error: a copy has no pages.
  client.sync('domains', new Map(), { filters: { limit: 5 } });

// @ts-expect-error: filters are an option.
export const noOption = (client: PanelClient) => client.sync('domains', new Map(), { account_id: 7 });

// @ts-expect-error: an object is no list.
export const objectCopy = (client: PanelClient) => client.sync('me', new Map());

/** Every kind of parameter; a word of the panel's own is as good as one that the editor suggests. */
export const parameters: readonly [
  ListParameters<'backups'>,
  ListParameters<'accounts'>,
  ListParameters<'ssl'>,
] = [
  {
    status: ['failed', "the panel's own"],
    encrypted: false,
    finished_at_before: '2026-06-12',
    size_bytes_min: 1n,
  },
  {
    search: 'an',
    updated_since: new Date(),
    updated_at_since: new Date(),
    order: 'desc',
    fields: ['username'],
    limit: 5,
    cursor: 'x',
    role: undefined,
  },
  { days_left_max: 14, auto_renew: true },
];

export async function onlySomeFields(client: PanelClient): Promise<void> {
  for await (const item of client.domains({ fields: ['domain'] })) {
    const shown: { readonly id: number | bigint; readonly domain: string } = item;
    // @ts-expect-error: it was not asked for.
    void [shown, item.status];
  }
}

// @ts-expect-error: there is no such parameter.
export const misspelt: ListParameters<'domains'> = { staus: 'active' };

// @ts-expect-error: the reason of a suspension is no filter.
export const noFilter: ListParameters<'accounts'> = { suspend_reason: 'x' };

// @ts-expect-error: nor is a value that is always computed.
export const computed: ListParameters<'settings'> = { is_set: true };

// @ts-expect-error: a flag is true or false.
export const wordOfFlag: ListParameters<'backups'> = { encrypted: 'yes' };

// @ts-expect-error: a text has no range.
export const rangeOfText: ListParameters<'domains'> = { domain_min: 1 };

// @ts-expect-error: nor has an id.
export const rangeOfId: ListParameters<'domains'> = { id_min: 1 };

// @ts-expect-error: a number has no time.
export const timeOfNumber: ListParameters<'jobs'> = { attempts_since: new Date() };

// @ts-expect-error: a list is ordered by its key or by a time.
export const wrongOrder: ListParameters<'jobs'> = { order: '-status' };

// @ts-expect-error: there is no such field.
export const wrongField: ListParameters<'jobs'> = { fields: ['typ'] };

// @ts-expect-error: only sizes are added up.
export const sumOfNumber = (client: PanelClient) => client.jobs.count({ sum: ['attempts'] });

// @ts-expect-error: a page may not have changed.
export const perhapsNull = async (client: PanelClient) => (await client.jobs.page({}, { etag: '' })).items;

// @ts-expect-error: a loop reads several pages.
export const etagOfLoop = (client: PanelClient) => client.jobs({}, { etag: '' });

// @ts-expect-error: nothing was added up.
export const noSums = async (client: PanelClient) => (await client.accounts.count()).sums.disk_used_bytes;

// @ts-expect-error: a count has no pages.
export const pageOfCount = (client: PanelClient) => client.jobs.count({ limit: 5 });

// @ts-expect-error: there is no such list.
export const noList = (client: PanelClient) => client.domain;

// @ts-expect-error: a field that is not always there may be absent.
export const notAlways = (item: Item<'domains'>): boolean => item.dns_managed;
