// Databases and drivers spell one boolean in three ways.
const BOOLEANS = [
  ['true', '1', 't'],
  ['false', '0', 'f'],
];

// As many digits behind the point as a decimal of MariaDB has at most.
const MOST_DECIMALS = 38;
const WHOLE = new RegExp(`^(-?\\d+)\\.0{0,${MOST_DECIMALS}}$`);

/** The text and every other spelling of the same boolean, the text first. A decimal without a fraction is a whole number. */
export function spellings(text: string): readonly string[] {
  const plain = text.replace(WHOLE, '$1');
  return [
    plain,
    ...(BOOLEANS.find((spelt) => spelt.includes(plain)) ?? []).filter((spelt) => spelt !== plain),
  ];
}

/** The text and, if it writes a whole number, every decimal that is the same to `spellings`. */
export function withDecimals(text: string): readonly string[] {
  if (!/^-?\d+$/.test(text)) return [text];
  return [text, ...Array.from({ length: MOST_DECIMALS + 1 }, (_, zeros) => `${text}.${'0'.repeat(zeros)}`)];
}
