import type { Database } from '../database/Database';
import { printable } from '../errors/printable';
import { isEmpty, isOneOf, narrowed } from './filters';
import { readFirst, type Source } from './Source';

/** Limits a source to rows with certain keys, whatever the source returns. */
export function allowOnly(source: Source, key: string, keys: readonly string[], checks: Database): Source {
  const every: ReadonlySet<string> = new Set(keys);
  const allowing: Source = {
    statements: source.statements,
    report: (run) => source.report(run),
    accepts: (key, order) => source.accepts(key, order),
    // Only reading shows which rows may be shown.
    groups: async () => null,
    async inspect(depth) {
      // Depth `none`, because a warning must not show a value of a row that is not allowed.
      const report = await source.inspect('none');
      if (report.state !== 'served' || depth === 'none') return report;
      // Unreadable rows are reported when they are read.
      const { rows } = await readFirst(allowing, every.size, checks).catch(() => ({ rows: null }));
      const present = rows && new Set(rows.map((row) => row[key]));
      const absent = [...every].filter((one) => present?.has(one) === false);
      const findings = absent.map((one) => ({
        code: 'key_absent',
        field: key,
        sentence: `No row has the key "${printable(one, 80)}": correct it in \`keys\` or remove it.`,
      }));
      return { ...report, warnings: [...report.warnings, ...findings] };
    },
    async *chunks(query, run) {
      const filters = narrowed(query.filters, key, every);
      if (isEmpty(filters)) return;
      for await (const chunk of source.chunks({ ...query, filters }, run)) {
        // The database may treat 'PANEL.NAME' or 'pänel.name' as equal to the allowed key.
        const shown = [...chunk.items.entries()].filter(([, item]) => isOneOf(item[key], filters.get(key)));
        yield {
          items: shown.map(([, item]) => item),
          keyOf: (index) => chunk.keyOf(shown[index]?.[0] ?? 0),
          raws: shown.map(([index]) => chunk.raws?.[index] ?? {}),
          last: chunk.last,
        };
      }
    },
  };
  return allowing;
}
