import { ALWAYS, type Column, ignoresCase, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { closedObject, wrong } from '../validators';
import { type AskedWords, type ColumnSource, readerKeywords, readerOf } from './columnReaders';
import { holds, mayBeNone } from './conditions';
import { aColumn, confirm, type DescriptionKind, sentinels } from './description';
import type { FieldPlan, PushDown } from './FieldPlan';
import { sentinelTest, sentinelTexts } from './sentinels';

export const column: DescriptionKind<ColumnSource> = {
  validate(field, others) {
    const readers = readerKeywords(field);
    const members = closedObject({
      column: aColumn,
      null: sentinels,
      ...confirm,
      ...(field.kind === 'id' ? { part: others.part } : {}),
      ...Object.assign({}, ...readers),
      // A description with `count` is of another kind. Here it only lets the message about an unknown keyword suggest it.
      ...(others.count && { count: others.count }),
    });
    return (given, path) => {
      members(given, path);
      const source = given as ColumnSource;
      const allowed = Object.keys(readerOf(field, source).keywords(field));
      const asked = allowed.find((name) => name in source);
      for (const keywords of readers.map(Object.keys)) {
        const other = keywords.find((name) => name in source && !allowed.includes(name));
        const why = asked === undefined ? `without ${keywords[0]}` : `together with ${asked}`;
        if (other !== undefined) throw wrong(`${path}.${other}`, `is not allowed ${why}`);
      }
    };
  },
  references: ({ column }, name) => [column ?? name],
  plan({ name, field, columns, ids }, source) {
    const found = columns.get(source.column ?? name);
    const reader = readerOf(field, source).plan({ field, column: found, name }, source);
    const { read, column = found, named, namesAll = false, words } = reader;
    const isNone = sentinelTest(source.null, column);
    const readOrNone = source.null === undefined ? read : (raw: unknown) => (isNone(raw) ? null : read(raw));
    const { reader: withIds, toPanel, refused: unclear, isDerived } = ids(name, field, source.part);
    const derivedFrom = isDerived && reader.shown === undefined && !isIntegerColumn(column);
    const { shown = derivedFrom ? { ...column, type: 'bigint' } : column } = reader;
    const refused = unclear ?? (reader.refused === undefined ? field.refuses?.(column) : reader.refused);
    const isRule = source.null !== undefined || named !== undefined;
    const pushDown = pushDownOf(field, column, source, isRule, reader.asked);
    const selected = columns.select(column);
    const rules = new Set([...(named ?? []), ...[source.null ?? []].flat().map(String)]);
    const isOpen = field.kind !== 'word' && field.kind !== 'flag';
    const isWhole = field.kind === 'id' && reader.shown === undefined && isIntegerColumn(column);
    return {
      columns: [selected],
      cell: selected.cell,
      read: withIds(readOrNone),
      ...(named ? {} : { isNone }),
      ...(isWhole && source.null === undefined && withIds(read) === read ? { ids: column } : {}),
      ...sumOf(field, column, source, reader.factor),
      pushDown: pushDown && ((wanted, dialect) => pushDown(toPanel(wanted), dialect)),
      translations:
        namesAll || ignoresCase(column)
          ? [{ field: name, column, words: rules, isPartial: !namesAll, isOpen }]
          : [],
      words,
      ...(shown ? { column: shown } : {}),
      ...(derivedFrom ? { derivedFrom: column } : {}),
      ...(refused ? { refused: `The column ${columns.say(column)} ${refused}.` } : {}),
      // The values of a derived field are computed for some rows.
      ...(field.derivation ? {} : { range: reader.range, search: reader.search }),
    };
  },
};

/** Returns how the database adds the values up; nothing if it cannot. */
function sumOf(
  { kind, required, derivation }: Field,
  column: Column,
  source: ColumnSource,
  factor: number | undefined,
): Pick<FieldPlan, 'sum'> {
  if (kind !== 'bytes' || required || derivation || factor === undefined || !isIntegerColumn(column))
    return {};
  const none = [...sentinelTexts(source.null)].filter((text) => /^(?:0|-?[1-9]\d{0,19})$/.test(text));
  return { sum: { column, factor, none } };
}

/** Returns a filter's condition on the column; undefined if the field cannot be filtered. */
function pushDownOf(
  { filterable, ...field }: Field,
  column: Column,
  source: ColumnSource,
  isRule: boolean,
  asked: AskedWords | null = sameWords,
): PushDown<ReadonlySet<string>> | undefined {
  if (!filterable || !asked) return undefined;
  // A column of times is read in another form than SQL compares.
  if (isTimeColumn(column)) return () => ALWAYS;
  const sentinels = sentinelTexts(source.null);
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const required = asked(wanted, none);
    if (!none) return holds(column, required, isRule, dialect);
    const { words, negated } = required;
    const meant = negated ? words.filter((word) => !sentinels.has(word)) : [...words, ...sentinels];
    return holds(column, { words: meant, negated, orNull: true }, isRule, dialect);
  };
}

const sameWords: AskedWords = (wanted, none) => ({
  words: none ? [...wanted, ''] : [...wanted],
  negated: false,
});
