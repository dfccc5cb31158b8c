import type { Run } from '../database/Statement';
import { printable } from '../errors/printable';
import { type Fields, keyName } from '../fields';
import {
  type Chunk,
  type Depth,
  EVERY_ROW,
  type Key,
  type Looks,
  type Order,
  type RowsQuery,
  type Source,
  type SourceReport,
} from './Source';

/** Limits a source to rows with certain keys, whatever the source returns. */
export class AllowListSource implements Source {
  readonly statements: number;
  readonly #source: Source;
  readonly #key: string;
  readonly #allowed: ReadonlySet<string>;
  readonly #looks: Looks;

  constructor(source: Source, fields: Fields, keys: readonly string[], looks: Looks) {
    this.statements = source.statements;
    this.#source = source;
    this.#key = keyName(fields);
    this.#allowed = new Set(keys);
    this.#looks = looks;
  }

  async inspect(depth: Depth): Promise<SourceReport> {
    // Depth `none`, because a warning must not show a value of a row that is not allowed.
    const report = await this.#source.inspect('none');
    if (report.state !== 'served' || depth === 'none') return report;
    // Unreadable rows are reported when they are read.
    const absent = await this.#absent().catch(() => []);
    const sentences = absent.map(
      (key) => `No row has the key "${printable(key, 80)}": correct it in \`keys\` or remove it.`,
    );
    return { ...report, warnings: [...report.warnings, ...sentences] };
  }

  /** Returns the allowed keys without a row. */
  async #absent(): Promise<readonly string[]> {
    const absent = new Set(this.#allowed);
    const end = this.#looks.end();
    const every = { ...EVERY_ROW, limit: this.#allowed.size, end };
    for await (const { items } of this.chunks(every, this.#looks.run)) {
      end.signal.throwIfAborted();
      for (const item of items) absent.delete(String(item[this.#key]));
      if (absent.size === 0) break;
    }
    return [...absent];
  }

  report(run?: Run): Promise<SourceReport> {
    return this.#source.report(run);
  }

  accepts(key: Key, order: Order | null): boolean {
    return this.#source.accepts(key, order);
  }

  // Only reading shows which rows may be shown.
  async groups(): Promise<null> {
    return null;
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const asked = query.filters.get(this.#key);
    const allowed = asked ? new Set([...asked].filter((key) => this.#allowed.has(key))) : this.#allowed;
    if (allowed.size === 0) return;
    const filters = new Map(query.filters).set(this.#key, allowed);
    for await (const chunk of this.#source.chunks({ ...query, filters }, run)) {
      // The database may treat 'PANEL.NAME' or 'pänel.name' as equal to the allowed key.
      const shown = [...chunk.items.keys()].filter((index) =>
        allowed.has(String(chunk.items[index]?.[this.#key])),
      );
      yield {
        items: shown.map((index) => chunk.items[index] ?? {}),
        keyOf: (index) => chunk.keyOf(shown[index] ?? 0),
        last: chunk.last,
      };
    }
  }
}
