/** How many ranges one text has: MariaDB's TEXT has 65,535 bytes for the details of an entry of the audit trail. */
const MOST_RANGES = 1000;

/** Whole numbers as ranges in ascending order, such as `3-7,9`, in at least one text. */
export function rangesOf(numbers: readonly number[]): readonly string[] {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...new Set(numbers)].toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  const texts = ranges.map((range) => [...new Set(range)].join('-'));
  const count = Math.max(1, Math.ceil(texts.length / MOST_RANGES));
  return Array.from({ length: count }, () => texts.splice(0, MOST_RANGES).join(','));
}

export function parseRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return Array.from(text.matchAll(/(\d+)(?:-(\d+))?/g), ([, first, last = first]) => [
    Number(first),
    Number(last),
  ]);
}
