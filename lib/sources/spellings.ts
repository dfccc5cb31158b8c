// Databases and drivers spell one boolean in three ways.
const BOOLEANS = [
  ['true', '1', 't'],
  ['false', '0', 'f'],
];

/** The text and every other spelling of the same boolean, the text first. A decimal without a fraction is a whole number. */
export function spellings(text: string): readonly string[] {
  const plain = text.replace(/^(-?\d+)\.0*$/, '$1');
  return [
    plain,
    ...(BOOLEANS.find((spelt) => spelt.includes(plain)) ?? []).filter((spelt) => spelt !== plain),
  ];
}
