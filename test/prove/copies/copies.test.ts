import { join } from 'node:path';
import { type CopyMeta, createClient, type Store, SuspiciousLoss } from '../../../client';
import { FileStore } from '../../../client/FileStore';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { engines } from '../../fixture/databases';
import { type Item, type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createPanelTables } from '../../fixture/panelTables';
import { WORD } from '../../fixture/streams/longTable';
import { ScratchDirectory } from '../../ScratchDirectory';
import { World } from '../../simulation/World';
import { figure } from '../figure';
import { printSeed, seed } from '../input/seed';
import { isWhole, scaled } from '../scale';
import { faultyNetwork, type Weather } from './faultyNetwork';

/** Rows that are created, changed and deleted, in each list. */
const CHANGES = { short: scaled({ fast: 150, full: 10_000 }), long: scaled({ fast: 30, full: 1_000 }) };
/** A list of so many long rows is sent in pieces, and has no tag. */
const ROWS = { short: 40, long: 1_600 };
const FEWEST = { short: 12, long: 1_500 };

const WEATHERS: readonly Weather[] = ['broken', 'cut', 'silent', 'limited', 'page', 'down'];

/** How a run can fail besides: its caller aborts it, its token was revoked, or its store fails. */
const FAULTS = [...WEATHERS, 'abort', 'revoked', 'store'] as const;
type Fault = (typeof FAULTS)[number] | 'none';

const ACCOUNT = 3;

interface Copy {
  readonly name: string;
  readonly store: Store;
  readonly filters: { readonly account_id?: number };
  /** Returns the items by their keys. */
  items(): Promise<ReadonlyMap<unknown, unknown>>;
}

/** A store over a slow database without transactions, whose next changes fail from one on. */
class SlowStore implements Store {
  readonly map = new Map<unknown, unknown>();
  /** How many changes it stores before it fails. */
  left = Infinity;
  #meta: CopyMeta | null = null;

  async get(key: unknown) {
    return this.map.get(key) ?? null;
  }

  async put(item: unknown, key: unknown) {
    this.#count();
    this.map.set(key, item);
  }

  async delete(key: unknown) {
    this.#count();
    this.map.delete(key);
  }

  async keys() {
    return [...this.map.keys()];
  }

  async getMeta() {
    return this.#meta;
  }

  async putMeta(meta: CopyMeta) {
    this.#count();
    this.#meta = meta;
  }

  #count() {
    this.left -= 1;
    if (this.left < 0) throw new Error('The disk is full.');
  }
}

describe.each(isWhole ? engines : (['sqlite'] as const))('After each run that ends well (%s)', (engine) => {
  test.each(['short', 'long'] as const)(
    'the copy equals the list, and after any other it is as it was, in a %s list',
    async (length) => {
      printSeed();
      const world = new World(seed);
      const panel = await startListPanel(engine, (knex) => createPanelTables(knex, ['domains']));
      const rows = new Rows(panel, world, {
        word: length === 'long' ? WORD : 'word',
        fewest: FEWEST[length],
      });
      await rows.create(ROWS[length]);
      const network = await faultyNetwork(panel.panel.url);
      const tokens = { live: await panel.panel.token(), revoked: 'pnl_x' };
      const clientOf = (token: string) => createClient({ baseUrl: network.url, token, timeoutSeconds: 30 });
      const impatient = createClient({ baseUrl: network.url, token: tokens.live, timeoutSeconds: 0.3 });
      const copies = copiesOf();
      const slow = copies[2]!.store as SlowStore;
      const counts: Record<string, number> = { runs: 0 };
      while (rows.changes < CHANGES[length]) {
        await rows.change();
        for (const copy of copies) {
          const fault: Fault = world.upTo(2) === 0 ? 'none' : world.oneOf(FAULTS);
          const sound =
            fault === 'none' || !WEATHERS.includes(fault as Weather) ? 'sound' : (fault as Weather);
          network.become(sound, world.upTo(length === 'long' ? 1_500_000 : 8_000));
          const abort = fault === 'abort' ? AbortSignal.timeout(world.upTo(30)) : undefined;
          if (fault === 'store') slow.left = world.upTo(6);
          const client =
            fault === 'silent' ? impatient : clientOf(fault === 'revoked' ? tokens.revoked : tokens.live);
          const before = new Map(await copy.items());
          const run = (allowLoss: boolean) =>
            client.sync('domains', copy.store as never, { filters: copy.filters, signal: abort, allowLoss });
          let done = await run(false).catch((error: Error) => error);
          const why = `seed ${seed}, ${rows.changes} changes, ${copy.name}, ${fault}`;
          const list = await rows.list(copy.filters);
          if (done instanceof SuspiciousLoss) {
            const lost = [...before.keys()].filter((key) => !list.has(key)).length;
            expect([why, done.rows, done.lost]).toEqual([why, before.size, lost]);
            expect([why, lost > before.size / 2, before.size >= 10]).toEqual([why, true, true]);
            expect([why, await copy.items()]).toEqual([why, before]);
            counts.losses = (counts.losses ?? 0) + 1;
            done = await run(true).catch((error: Error) => error);
          }
          slow.left = Infinity;
          counts.runs = (counts.runs ?? 0) + 1;
          if (done instanceof Error) {
            counts[fault] = (counts[fault] ?? 0) + 1;
            expect([why, done.message, fault]).not.toEqual([why, done.message, 'none']);
            // A store without a transaction may have stored some of the changes before it failed itself.
            if (fault !== 'store') expect([why, await copy.items()]).toEqual([why, before]);
            continue;
          }
          const items = await copy.items();
          expect([why, items]).toEqual([why, list]);
          expect([why, done.created + done.changed + done.unchanged, done.complete]).toEqual([
            why,
            list.size,
            true,
          ]);
          expect([why, before.size + done.created - done.deleted]).toEqual([why, list.size]);
        }
      }
      figure(`${engine}, ${length}: changes`, rows.changes);
      figure(
        `${engine}, ${length}: runs, of these failed`,
        Object.entries(counts)
          .map(([name, count]) => `${name} ${count}`)
          .join(', '),
      );
      // Each kind of failure was met.
      const met = ['broken', 'cut', 'page', 'down', 'revoked', 'store'].filter(
        (name) => (counts[name] ?? 0) > 0,
      );
      expect(met.length).toBeGreaterThanOrEqual(isWhole ? 6 : 3);
    },
  );
});

/** A Map, a file, a slow store, and a Map of the rows of one account. */
function copiesOf(): readonly Copy[] {
  const directory = new ScratchDirectory('copies');
  closeAtEnd(() => directory.remove());
  const path = join(directory.path, 'domains.copy');
  const [map, ofAccount] = [new Map(), new Map()];
  const slow = new SlowStore();
  return [
    { name: 'Map', store: map as never, filters: {}, items: async () => map },
    {
      name: 'file',
      // Each run is that of a new process.
      get store() {
        return new FileStore(path);
      },
      filters: {},
      async items() {
        const store = new FileStore(path);
        const items = new Map([...store.keys()].map((key) => [key, store.get(key)]));
        store.close();
        return items;
      },
    },
    { name: 'slow store', store: slow, filters: {}, items: async () => slow.map },
    {
      name: 'Map of an account',
      store: ofAccount as never,
      filters: { account_id: ACCOUNT },
      items: async () => ofAccount,
    },
  ];
}

/** The rows of a panel, which change at random. */
class Rows {
  changes = 0;
  readonly #panel: ListPanel;
  readonly #world: World;
  readonly #word: string;
  readonly #fewest: number;
  #ids: number[] = [];
  readonly #freed: number[] = [];
  #last = 0;

  constructor(panel: ListPanel, world: World, { word, fewest }: { word: string; fewest: number }) {
    this.#panel = panel;
    this.#world = world;
    this.#word = word;
    this.#fewest = fewest;
  }

  async list({ account_id: account }: Copy['filters']): Promise<ReadonlyMap<unknown, Item>> {
    const items = await this.#panel.items(
      `domains.php${account === undefined ? '' : `?account_id=${account}`}`,
    );
    return new Map(items.map((item) => [item.id, item]));
  }

  async create(count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => {
      // Some ids are given again.
      const again = this.#world.upTo(3) === 0 ? this.#freed.pop() : undefined;
      if (again === undefined) this.#last += 1;
      const id = again ?? this.#last;
      this.#ids.push(id);
      return { id, ...this.#columns() };
    });
    await this.#panel.database.knex.batchInsert('domains', rows, 50);
  }

  /** Makes some changes. At times, a short list loses most of its rows, and gets others later. */
  async change(): Promise<void> {
    const isLoss = this.#ids.length < 500 && this.#world.upTo(12) === 0;
    const most = isLoss ? this.#ids.length : 8;
    for (let left = this.#world.upTo(most); left > 0; left -= 1) {
      const kind = isLoss ? 'delete' : this.#world.oneOf(['create', 'edit', 'edit', 'delete'] as const);
      this.changes += 1;
      if (kind === 'create' || this.#ids.length === 0) {
        await this.create(this.#ids.length < this.#fewest ? 30 : 1);
        continue;
      }
      const id = this.#world.oneOf(this.#ids);
      const row = this.#panel.database.knex('domains').where({ id });
      if (kind === 'edit') await row.update(this.#columns());
      else {
        await row.del();
        this.#ids = this.#ids.filter((one) => one !== id);
        this.#freed.push(id);
      }
    }
  }

  #columns() {
    const world = this.#world;
    return {
      domain: `${world.oneOf(['é', '🐘', '"]},', '\\', 'a'])}${world.upTo(1000)}.example`,
      type: this.#word,
      ssl_status: this.#word,
      status: world.oneOf(['active', 'suspended', this.#word]),
      account_id: world.upTo(5),
    };
  }
}
