import type { Column } from '../../database/columns';
import type { SourceReport } from '../Source';
import type { SelectedColumn } from './FieldPlan';

/** Why columns cannot be read: they do not exist, or there is another reason. Of one column, how a sentence begins. */
export interface WhyUnread extends Pick<SourceReport, 'missing' | 'failure'> {
  readonly state: 'missing' | 'failed';
}

/** The live columns of a source's references, and which of them are selected. */
export class LiveColumns {
  /** Why no column can be read; undefined if some can. */
  readonly unread: WhyUnread | undefined;
  readonly #selected: SelectedColumn[] = [];
  readonly #found: ReadonlyMap<string, Column | WhyUnread>;
  readonly #table: string | null;

  /** `table` is the first of the tables that the references may name; null for a subquery. */
  constructor(found: ReadonlyMap<string, Column | WhyUnread>, table: string | null, unread?: WhyUnread) {
    this.#found = found;
    this.#table = table;
    this.unread = unread;
  }

  /** The columns selected so far. */
  get selected(): readonly SelectedColumn[] {
    return this.#selected;
  }

  /** Returns why some of these references cannot be read. */
  unreadOf(references: readonly string[]): readonly WhyUnread[] {
    return [...new Set(references)].flatMap((reference) => {
      const found = this.#found.get(reference) ?? this.unread;
      return found && 'missing' in found ? [found] : [];
    });
  }

  /** Returns the column of a reference that can be read. */
  get(reference: string): Column {
    return this.#found.get(reference) as Column;
  }

  /** Selects the column unless one of its name is already selected. Returns the selected one. */
  select(column: Column): SelectedColumn {
    const known = this.#selected.find(({ name }) => name === column.name);
    const selected = known ?? { ...column, cell: `c${this.#selected.length}` };
    if (!known) this.#selected.push(selected);
    return selected;
  }

  say({ name }: Column): string {
    return name.includes('.') || this.#table === null ? name : `${name} of the table ${this.#table}`;
  }
}
