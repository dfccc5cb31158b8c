import { type Family, gauge, labelValue, type Sample } from './exposition';
import type { ListView, RowTally } from './Reading';

/** The most values of a label that are counted apart. */
const MOST_VALUES = 50;

/** Returns the metric with the number of rows by these fields, also 0 for each word that a single one can have. */
export function countOf(
  list: ListView,
  name: string,
  labels: readonly string[],
  rows: readonly RowTally[],
): Family {
  const counts = new Map<string, Sample & { value: number }>();
  const every = (value: string) => labels.map(() => value);
  const add = (values: readonly string[], count: number): void => {
    const key = JSON.stringify(values);
    const known = counts.get(key);
    if (known) known.value += count;
    else if (counts.size >= MOST_VALUES && values[0] !== OTHER) add(every(OTHER), count);
    else counts.set(key, { labels: labelled(labels, values), value: count });
  };
  if (labels.length === 1) for (const word of list.words(labels[0] ?? '')) add([word], 0);
  for (const { item, rows: count } of rows) {
    const values = labels.map((label) => labelValue(String(item[label] ?? '')));
    add(values, count);
  }
  if (counts.size === 0) add(every(''), 0);
  const { title, fields } = list.operation;
  const meanings = labels.map((label) => `${label}: ${fields[label]?.schema.description}`);
  return gauge(name, `${title} by ${meanings.join(' ')}`, [...counts.values()]);
}

const OTHER = 'other';

function labelled(labels: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']));
}
