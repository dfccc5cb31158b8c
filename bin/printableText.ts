import { printable } from '../lib/text/printable';

const LONGEST_LINE = 100_000;

/** Several lines that are safe on a terminal: their line ends are the only control characters that stay. */
export function printableText(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, LONGEST_LINE))
    .join('\n');
}
