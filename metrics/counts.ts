import type { Tally } from '../lib/lists/ListReader';
import { millisecondsOf } from '../lib/time/time';
import { type Family, gauge, labelValue, type Sample } from './exposition';
import type { ListView } from './ListView';

/** The most values of a label that are counted apart. */
const MOST_VALUES = 50;

/** Returns the metric with the number of rows by these fields, also 0 for each word that they can have. */
export function countOf(
  list: ListView,
  name: string,
  labels: readonly string[],
  rows: readonly Tally[],
): Family {
  const counts = new Map<string, Sample & { value: number }>();
  const add = (values: readonly string[], count: number) => {
    const key = JSON.stringify(values);
    const known = counts.get(key);
    if (known) known.value += count;
    else if (counts.size < MOST_VALUES || values[0] === OTHER)
      counts.set(key, { labels: labelled(labels, values), value: count });
    else
      add(
        labels.map(() => OTHER),
        count,
      );
  };
  for (const words of combinations(labels.map((label) => list.words(label)))) add(words, 0);
  for (const { item, rows: count } of rows)
    add(
      labels.map((label) => labelValue(String(item[label] ?? ''))),
      count,
    );
  if (counts.size === 0)
    add(
      labels.map(() => ''),
      0,
    );
  const { title, fields } = list.endpoint;
  const meanings = labels.map((label) => `${label}: ${fields[label]?.schema.description}`);
  return gauge(name, `${title} by ${meanings.join(' ')}`, [...counts.values()]);
}

const OTHER = 'other';

function labelled(labels: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']));
}

function combinations(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return sets.reduce<readonly (readonly string[])[]>(
    (all, words) => all.flatMap((one) => words.map((word) => [...one, word])),
    [[]],
  );
}

/** Returns a time of an item as a value of a metric; undefined without one. */
export function seconds(time: unknown): number | undefined {
  const milliseconds = millisecondsOf(time);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
