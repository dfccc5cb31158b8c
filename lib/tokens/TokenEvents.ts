import type { Knex } from 'knex';
import { networkOf } from '../addresses/addresses';
import type { ModuleTables } from '../database/migrations/Migrations';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import { DAY_SECONDS } from '../time/time';
import type { FoundToken } from './TokenLookup';
import type { TokenRecord } from './TokenRecord';
import { selectTokens, tokenRecord } from './tokenRows';
import { isExpiring } from './tokenWarnings';

/**
 * What a request has shown about its token. The last use of `token` is the one before.
 *
 * - `expiring`: it was used in its last 14, 3 or 1 days, and lives more than twice as long.
 * - `first_address`: it was used from a network (/24 of IPv4, /48 of IPv6) that is not among the 64 that it was used from
 *   last. If there are 64, it may have been used from this one before, and at most three a day are told.
 * - `ended`: it was refused, because it is expired or revoked.
 * - `created`: it was created, duplicated or rotated; `token` is the new one.
 *
 * Without a token: `database_older`, if the database was set back, with the times of the newest entry of its audit trail and
 * of the newest one that was known, in seconds since 1970.
 */
export type TokenEvent =
  | { readonly type: 'expiring'; readonly token: TokenRecord; readonly days: 14 | 3 | 1 }
  | {
      readonly type: 'first_address';
      readonly token: TokenRecord;
      readonly address: string;
      readonly network: string;
    }
  | { readonly type: 'ended' | 'created'; readonly token: TokenRecord }
  | { readonly type: 'database_older'; readonly newestAt: number | null; readonly knownAt: number };

/** An event whose token is as its request found it. */
type UntoldEvent = Without<Extract<TokenEvent, { token: unknown }>, 'token'> & { readonly token: FoundToken };

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface EventOptions {
  /**
   * Called for each event of a token, once over all processes: for `created` when the token is stored, for the others
   * after the answer was sent. It may return a promise. Nothing waits for it, and if it fails, the log says so.
   * Default: none.
   */
  readonly onTokenEvent?: (event: TokenEvent) => unknown;
}

interface EventParts extends ModuleTables, Required<EventOptions> {
  readonly log: PanelLog;
}

/** Tells the panel of an event. Nothing waits for the panel's function: it may never settle. @internal */
export function tellPanel(event: TokenEvent, { onTokenEvent }: EventOptions, log: PanelLog): void {
  new Promise((resolve) => resolve(onTokenEvent?.(event))).catch((error) => {
    const tokenId = 'token' in event ? event.token.id : null;
    const facts = { type: event.type, token_id: tokenId, ...causeFacts(error) };
    log.warn('panel-api token event failed', facts);
  });
}

/** The days before the end that are told, the smallest first. */
const DAYS = [1, 3, 14] as const;

/** What `told_days` is when the end itself was told. */
const ENDED = 0;

/** How many networks of a token are remembered. */
const MOST_NETWORKS = 64;

/** How many of them may take the place of another on one day. */
const MOST_REPLACED = 3;

/**
 * Tells the panel of events of its tokens. The row of the token says what was told, and each request reads it with its
 * token, so that only an event costs a statement: the UPDATE whose condition decides which process tells it.
 * @internal
 */
export class TokenEvents {
  readonly #parts: EventParts;
  /** What this process is about to tell, so that requests that end together do not ask at once. */
  readonly #claimed = new Set<string>();

  constructor(parts: EventParts) {
    this.#parts = parts;
  }

  /** The token was refused, because it has ended. */
  async ended(token: FoundToken): Promise<void> {
    if (token.toldDays === ENDED) return;
    await this.#tellOnce({ type: 'ended', token }, () => this.#claimDays(token, ENDED));
  }

  /** The token was used. The address is null if none may be stored. */
  async used(token: FoundToken, address: string | null): Promise<void> {
    const days = DAYS.find((one) => isExpiring(token, one * DAY_SECONDS, false));
    if (days !== undefined && (token.toldDays ?? Infinity) > days)
      await this.#tellOnce({ type: 'expiring', token, days }, () => this.#claimDays(token, days));
    if (address === null) {
      // A request that began before the setting was turned off may have stored one since.
      if (token.seenNetworks !== null) await this.#storeNetworks(token.id, token.seenNetworks, null);
      return;
    }
    const network = networkOf(address);
    if (network !== null && useOf(network, token.seenNetworks, token.readAt))
      await this.#tellOnce({ type: 'first_address', token, address, network }, () =>
        this.#claimNetwork(token, network),
      );
  }

  async #tellOnce(
    { token: { id, lastUse }, ...event }: UntoldEvent,
    claim: () => Promise<boolean>,
  ): Promise<void> {
    const { database, log } = this.#parts;
    const key = `${event.type} ${id} ${'network' in event ? event.network : ''}`;
    if (this.#claimed.has(key)) return;
    this.#claimed.add(key);
    const find = async () => {
      // What is claimed must be told, so it is read before.
      const [row] = await database.query('tokens.event', () => selectTokens(this.#parts).where({ id }));
      return row && (await claim()) ? tokenRecord(row) : null;
    };
    const token = await find().finally(() => this.#claimed.delete(key));
    if (!token) return;
    tellPanel({ ...event, token: { ...token, ...lastUse } } as TokenEvent, this.#parts, log);
  }

  /** Whether this process is the first to tell this of the token, and its end has not been moved since. */
  #claimDays({ id, expiresAt }: FoundToken, days: number): Promise<boolean> {
    return this.#update({ told_days: days }, (tokens) =>
      tokens
        .where({ id, expires_at: expiresAt })
        .where((untold) => untold.whereNull('told_days').orWhere('told_days', '>', days)),
    );
  }

  /** Stores the use of a network, and returns whether it is new. */
  async #claimNetwork({ id, seenNetworks, readAt }: FoundToken, network: string): Promise<boolean> {
    const { database, tables } = this.#parts;
    let seen = seenNetworks;
    // Another process may store another network at the same time.
    for (let use = useOf(network, seen, readAt); use; use = useOf(network, seen, readAt)) {
      if (await this.#storeNetworks(id, seen, use.networks)) return use.isNew;
      const [row] = await database.query('tokens.event', (knex) =>
        knex(tables.tokens).select({ networks: 'seen_networks' }).where({ id }),
      );
      if (!row) return false;
      seen = row.networks === null ? null : String(row.networks);
    }
    return false;
  }

  /** Replaces the networks that were read. Returns false if they have changed since. */
  #storeNetworks(id: number, seen: string | null, networks: string | null): Promise<boolean> {
    return this.#update({ seen_networks: networks }, (tokens) => tokens.where({ id, seen_networks: seen }));
  }

  /** Changes the row of a token, and returns whether there was one to change. */
  async #update(values: object, where: (tokens: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<boolean> {
    const { database, tables } = this.#parts;
    const changed = await database.query<number>('tokens.event', (knex) =>
      where(knex(tables.tokens)).update(values),
    );
    return changed === 1;
  }
}

/** Returns the networks that a token was used from; none unless the panel is told of events. @internal */
export async function seenNetworks(
  { database, tables }: ModuleTables,
  id: number,
): Promise<readonly string[]> {
  const [row] = await database.query('tokens.networks', (knex) =>
    knex(tables.tokens).select({ networks: 'seen_networks' }).where({ id }),
  );
  return networksIn(String(row?.networks ?? '')).map(([network]) => network);
}

/** The stored networks, each with the day of its last use, or without it. */
function networksIn(seen: string): readonly (readonly [network: string, day: string])[] {
  return Array.from(seen.matchAll(/([^ =]+)=?(\S*)/g), ([, network = '', day = '']) => [network, day]);
}

/**
 * The networks to store when one is used, and whether it is new; null if nothing is to be stored: it was used on this day
 * before, or no further one may take the place of another. A network is stored with the day of its last use, which ends
 * with a + if it took the place of the one that was unused for longest.
 */
function useOf(network: string, seen: string | null, at: number) {
  const day = String(Math.floor(at / DAY_SECONDS));
  const stored = networksIn(seen ?? '');
  const last = stored.find(([one]) => one === network)?.[1];
  // A request that began on the day before may end after those of this day.
  if (last !== undefined && last >= day) return null;
  const others = stored.filter(([one]) => one !== network);
  const isReplacing = others.length >= MOST_NETWORKS;
  const mark = isReplacing ? `${day}+` : day;
  if (isReplacing && others.filter(([, one]) => one === mark).length >= MOST_REPLACED) return null;
  const latest = others.toSorted(([, one], [, other]) => Number(one < other) - Number(one > other));
  const all = [[network, mark], ...latest.slice(0, MOST_NETWORKS - 1)];
  return { networks: all.map((one) => one.join('=')).join(' '), isNew: last === undefined };
}
