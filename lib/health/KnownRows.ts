import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { ListParts } from '../lists/findList';
import { EVERY_ROW, type Row, readFirst, type Source } from '../sources/Source';
import { countByAccount } from '../sources/sql/CountingSource';
import type { LookUp } from './rules/Rule';

/** All lists, to look rows up in. */
export interface SourceParts extends ListParts {
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
}

/** How many rows are looked up with one statement. */
const AT_ONCE = 500;

/** How many rows of a list are remembered, and what of each. */
const MOST_KNOWN = 20_000;
const KEPT =
  /^(?:account_id|status|domain|type|role|aliases|website_id|mail_enabled|ssl_enabled|ssl_status|last_run_at)$/;

/** Rows of one list, of which some were looked up by one of its fields. */
class KnownRows {
  readonly #lookUp: LookUp;
  readonly #source: Source;
  readonly #checks: Database;
  readonly #known = new Map<string, Row | null>();

  constructor(lookUp: LookUp, source: Source, checks: Database) {
    this.#lookUp = lookUp;
    this.#source = source;
    this.#checks = checks;
  }

  /** Returns the row with this value; null if there is none, and undefined if that is not known. */
  find(value: unknown): Row | null | undefined {
    return this.#known.get(String(value));
  }

  /** Looks rows up. If the list cannot be read, they stay unknown, and its own check says why. */
  async learn(values: readonly unknown[]): Promise<void> {
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    const asked = new Set(values.flatMap((value) => value ?? []).map(String));
    const unknown = [...asked].filter((value) => !this.#known.has(value));
    for (let start = 0; start < unknown.length; start += AT_ONCE) {
      const found = await this.#read(new Set(unknown.slice(start, start + AT_ONCE))).catch(() => null);
      for (const [value, row] of found ?? []) this.#known.set(value, row);
      if (!found) return;
    }
  }

  async #read(asked: ReadonlySet<string>): Promise<ReadonlyMap<string, Row | null> | null> {
    const { by, counts } = this.#lookUp;
    const checks = this.#checks;
    const { filters, state } = await this.#source.report(checks.run);
    const where = new Map(Object.entries(counts ?? {}).map(([name, word]) => [name, new Set([word])]));
    // Without a filter, all rows would be read for each chunk of values.
    const needed = by === 'id' ? [] : [by, ...where.keys()];
    if (state !== 'served' || needed.some((name) => !filters.includes(name))) return null;
    if (counts) {
      const query = { ...EVERY_ROW, end: Cancellation.after(checks.deadlineMs) };
      const sums = await countByAccount(this.#source, where, asked, query, checks.run);
      return new Map([...asked].map((account) => [account, { rows: sums.get(account) ?? 0 }]));
    }
    const { rows, isAll } = await readFirst(this.#source, asked.size, checks, new Map([[by, asked]]));
    const kept = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => KEPT.test(name)));
    const absent = isAll ? [...asked].map((value) => [value, null] as const) : [];
    return new Map([...absent, ...rows.map((row) => [String(row[by]), kept(row)] as const)]);
  }
}

/** Returns what finds the rows of a look-up, the same for equal ones; undefined if the panel has no such list. */
export function knownRows({ sources, checks }: SourceParts): (lookUp: LookUp) => KnownRows | undefined {
  const known = new Map<string, KnownRows>();
  return (lookUp) => {
    const { list, by, counts } = lookUp;
    const source = sources.get(list);
    const name = JSON.stringify([list, by, counts]);
    const rows = known.get(name) ?? (source && new KnownRows(lookUp, source, checks));
    if (rows) known.set(name, rows);
    return rows;
  };
}
