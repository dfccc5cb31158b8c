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
export function named(texts: readonly unknown[]): string {
  const shown = texts.slice(0, MOST_NAMED).map(cleaned);
  const others = texts.length - shown.length;
  return shown.join(', ') + (others > 0 ? ` and ${inWords(others, 'other')}` : '');
}

/** `1 job`, `8,018 jobs` */
export function inWords(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The finding of a check that counts faults: their number with `what` happened, such as `failed`, or else `none`. */
export function countFinding(
  name: string,
  faults: readonly unknown[],
  bounds: Bounds & { readonly max?: number },
  what: string,
  none: string,
): Finding {
  const { length } = faults;
  return {
    state: stateOf(length, bounds),
    text: length === 0 ? none : `${inWords(length, name.slice(0, -1))} ${what}: ${named(faults)}`,
    figures: [figure(name, length, bounds)],
  };
}

/**
 * The state and the output of a run: one line with the worst first and the figures at its end, then a line for each
 * other check. A run that could check nothing says nothing about the panel.
 */
export function outcomeOf(findings: readonly Finding[]): [State, string] {
  const done = findings.filter(({ skipped }) => skipped === undefined);
  const state = done.length === 0 ? 'UNKNOWN' : worstOf(done.map((finding) => finding.state));
  const worst = done.toSorted((a, b) => RANKS.indexOf(b.state) - RANKS.indexOf(a.state));
  const first = worst.filter((finding) => state === 'OK' || finding.state !== 'OK').map(({ text }) => text);
  const below = worst.slice(first.length).map(({ text }) => text);
  const skipped = findings.flatMap((finding) => finding.skipped ?? []);
  if (skipped.length > 0) first.push(`not checked: ${skipped.join(', ')}`);
  const figures = findings.flatMap((finding) => finding.figures ?? []).join(' ');
  const line = `PANEL ${state} - ${first.join('; ')}${figures && ` | ${figures}`}`;
  return [state, `${[line, ...below].join('\n')}\n`];
}
