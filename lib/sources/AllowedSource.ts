import type { Run } from '../database/Run';
import { type Fields, keyName } from '../fields';
import type { Chunk, Key, RowsQuery, Source, SourceReport } from './Source';

/** A source of which only the rows with certain keys may be shown, whatever it gives. */
export class AllowedSource implements Source {
  readonly statements: number;
  readonly #source: Source;
  readonly #key: string;
  readonly #allowed: ReadonlySet<string>;

  constructor(source: Source, fields: Fields, keys: readonly string[]) {
    this.statements = source.statements;
    this.#source = source;
    this.#key = keyName(fields);
    this.#allowed = new Set(keys);
  }

  inspect(): Promise<SourceReport> {
    // What the rows hold is nobody's business before it is known which of them may be shown.
    return this.#source.inspect('none');
  }

  report(run?: Run): Promise<SourceReport> {
    return this.#source.report(run);
  }

  accepts(key: Key): boolean {
    return this.#source.accepts(key);
  }

  // Only reading tells which of the rows may be shown.
  async count(): Promise<null> {
    return null;
  }

  async *chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined> {
    const asked = query.filters.get(this.#key);
    const allowed = asked ? new Set([...asked].filter((key) => this.#allowed.has(key))) : this.#allowed;
    if (allowed.size === 0) return;
    const filters = new Map(query.filters).set(this.#key, allowed);
    for await (const chunk of this.#source.chunks({ ...query, filters }, run)) {
      // The database may take 'PANEL.NAME' or 'pänel.name' for the key that was allowed.
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
