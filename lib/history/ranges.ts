/** Whole numbers as ranges in ascending order, such as `3-7,9`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of [...new Set(numbers)].toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map((range) => [...new Set(range)].join('-')).join(',');
}

export function parseRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return Array.from(text.matchAll(/(\d+)(?:-(\d+))?/g), ([, first, last = first]) => [
    Number(first),
    Number(last),
  ]);
}

/** What one entry of the audit trail may have of a list: MariaDB's TEXT has 65,535 bytes for all its details. */
const LONGEST_TEXT = 16_000;

/** Divides details whose texts are lists with commas, so that each part can be stored as an entry. */
export function dividedDetails(details: Readonly<Record<string, string>>): readonly (typeof details)[] {
  const names = Object.keys(details);
  const pattern = new RegExp(`(?:^$|[^]{1,${LONGEST_TEXT}})(?:,|$)`, 'g');
  const pieces = names.map((name) => (details[name] ?? '').match(pattern) ?? []);
  const count = Math.max(...pieces.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      names.flatMap((name, of) => {
        const piece = pieces[of]?.[index];
        return piece === undefined ? [] : [[name, piece.replace(/,$/, '')]];
      }),
    ),
  );
}
