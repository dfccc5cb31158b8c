import { ALWAYS, type Column, ignoresCase, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { closedObject, wrong } from '../checkers';
import { holds, mayBeNone } from './conditions';
import { aColumn, confirm, type DescriptionKind, sentinels } from './description';
import { cell, type FieldPlan, type PushDown } from './FieldPlan';
import { type ColumnSource, type ReadingPlan, readingKeywords, readingOf } from './readings';
import { sentinelTest, sentinelTexts } from './sentinels';

export const column: DescriptionKind<ColumnSource> = {
  mayBeKey: true,
  check({ field, checkPart }) {
    const readings = readingKeywords(field);
    const part = field.kind === 'id' ? { part: checkPart } : {};
    const members = closedObject({
      column: aColumn,
      null: sentinels,
      ...confirm,
      ...part,
      ...Object.assign({}, ...readings),
    });
    return (given, path) => {
      members(given, path);
      const source = given as ColumnSource;
      const asked = Object.keys(readingOf(field, source).keywords(field));
      for (const keywords of readings.map(Object.keys)) {
        const other = keywords.find((name) => name in source && !asked.includes(name));
        if (other === undefined) continue;
        const own = asked.find((name) => name in source);
        const why = own === undefined ? `without ${keywords[0]}` : `together with ${own}`;
        throw wrong(`${path}.${other}`, `is not allowed ${why}`);
      }
    };
  },
  references: ({ column }, name) => [column ?? name],
  plan({ name, field, columns, ids }, source) {
    const found = columns.get(source.column ?? name);
    const reading = readingOf(field, source).plan({ field, column: found, name }, source);
    const { read, column = found, shown = column, named, namesAll = false, words } = reading;
    const isNone = sentinelTest(source.null, column);
    const readOrNone = source.null === undefined ? read : (raw: unknown) => (isNone(raw) ? null : read(raw));
    const { reader, toPanel, refused: unclear } = ids(name, field, source.part);
    const refused = unclear ?? (reading.refused === undefined ? field.refuses?.(column) : reading.refused);
    const pushDown = pushDownOf(field, column, reading, source);
    const position = columns.select(column);
    const rules = new Set([...(named ?? []), ...[source.null ?? []].flat().map(String)]);
    const isOpen = field.kind !== 'word' && field.kind !== 'flag';
    const isWhole = field.kind === 'id' && reading.shown === undefined && isIntegerColumn(column);
    return {
      positions: [position],
      cell: cell(position),
      read: reader(readOrNone),
      ...(named ? {} : { isNone }),
      ...(isWhole && source.null === undefined && reader(read) === read ? { ids: column } : {}),
      ...sumOf(field, column, reading, source),
      pushDown: pushDown && ((wanted, dialect) => pushDown(toPanel(wanted), dialect)),
      translations:
        namesAll || ignoresCase(column)
          ? [{ field: name, column, words: rules, isPartial: !namesAll, isOpen }]
          : [],
      words,
      ...(shown ? { column: shown } : {}),
      ...(refused ? { refused: `The column ${columns.say(column)} ${refused}.` } : {}),
      // The values of a derived field are computed for some rows.
      ...(field.derivation ? {} : { range: reading.range, search: reading.search }),
    };
  },
};

/** Returns how the database adds the values up; nothing if it cannot. */
function sumOf(
  { kind, required, derivation }: Field,
  column: Column,
  { factor }: ReadingPlan,
  source: ColumnSource,
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
  { asked = sameWords, named }: ReadingPlan,
  source: ColumnSource,
): PushDown<ReadonlySet<string>> | undefined {
  if (!filterable || !asked) return undefined;
  // A column of times is read in another form than SQL compares.
  if (isTimeColumn(column)) return () => ALWAYS;
  const sentinels = sentinelTexts(source.null);
  const isRule = source.null !== undefined || named !== undefined;
  return (wanted, dialect) => {
    const none = mayBeNone(field, wanted);
    const held = asked(wanted, none);
    if (!none) return holds(column, held, isRule, dialect);
    const { words, negated } = held;
    const meant = negated ? words.filter((word) => !sentinels.has(word)) : [...words, ...sentinels];
    return holds(column, { words: meant, negated, orNull: true }, isRule, dialect);
  };
}

const sameWords: ReadingPlan['asked'] = (wanted, none) => ({
  words: none ? [...wanted, ''] : [...wanted],
  negated: false,
});
