/** The exit codes of monitoring plugins. */
export const STATES = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const;

export type State = (typeof STATES)[number];

/** From the best to the worst. */
const RANKS: readonly State[] = ['OK', 'UNKNOWN', 'WARNING', 'CRITICAL'];

/** What one check found. */
export interface Finding {
  readonly state: State;
  readonly text: string;
  /** Performance data. */
  readonly figures?: readonly string[];
  /** What could not be checked, although that is no fault. */
  readonly skipped?: string;
}

const MOST_NAMED = 5;
const LONGEST_TEXT = 80;

export const worstOf = (states: readonly State[]): State =>
  RANKS.findLast((state) => states.includes(state)) ?? 'OK';

/** The state of a figure that may not exceed these bounds. */
export function stateOf(value: number, { warning, critical }: Bounds): State {
  return value > critical ? 'CRITICAL' : value > warning ? 'WARNING' : 'OK';
}

export interface Bounds {
  readonly warning: number;
  readonly critical: number;
}

/** `'label'=value[UOM];warn;crit;min;max` */
export function figure(
  label: string,
  value: number | string,
  { warning, critical, max }: Partial<Bounds> & { readonly max?: number } = {},
): string {
  return `'${label}'=${value};${warning ?? ''};${critical ?? ''};0;${max ?? ''}`;
}

/** What a token has behind its prefix: a server may repeat what it was sent. */
const SECRET = /(?<![A-Za-z0-9])[A-Za-z0-9]{46}(?![A-Za-z0-9])/g;

/** A text of the panel's as a part of a line, in which `|` would begin the performance data. */
export function cleaned(text: unknown): string {
  const clean = String(text)
    .replace(SECRET, '…')
    .replace(/[\p{C}\p{Z}|]+/gu, ' ')
    .trim();
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT).toWellFormed()}...` : clean;
}

/** The first of these texts, the worst, and the number of the others. */
export function named(texts: readonly unknown[], total = texts.length): string {
  const shown = texts.slice(0, MOST_NAMED).map(cleaned);
  const others = total - shown.length;
  return shown.join(', ') + (others > 0 ? ` and ${inWords(others, 'other')}` : '');
}

/** `1 job`, `8,018 jobs` */
export function inWords(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The state of a run. One that could check nothing says nothing about the panel. */
export function stateOfAll(findings: readonly Finding[]): State {
  if (findings.every(({ skipped }) => skipped !== undefined)) return 'UNKNOWN';
  return worstOf(findings.map(({ state }) => state));
}

/** The output: one line with the worst first and the figures at its end, then a line for each other check. */
export function outputOf(findings: readonly Finding[]): string {
  const state = stateOfAll(findings);
  const problems = RANKS.toReversed().flatMap((rank) =>
    rank === 'OK' ? [] : findings.filter((finding) => finding.state === rank),
  );
  const rest = findings.filter((finding) => finding.state === 'OK');
  const skipped = findings.flatMap((finding) => finding.skipped ?? []);
  const first = problems.length > 0 ? problems : rest.filter((finding) => finding.skipped === undefined);
  const sentences = first.map(({ text }) => text);
  if (skipped.length > 0) sentences.push(`not checked: ${skipped.join(', ')}`);
  const figures = findings.flatMap((finding) => finding.figures ?? []);
  const below = (problems.length > 0 ? rest : rest.filter((finding) => finding.skipped !== undefined)).map(
    ({ text }) => text,
  );
  const line = `PANEL ${state} - ${sentences.join('; ')}${figures.length > 0 ? ` | ${figures.join(' ')}` : ''}`;
  return `${[line, ...below].join('\n')}\n`;
}
