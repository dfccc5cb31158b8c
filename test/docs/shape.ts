/**
 * Says how a printed text differs from the text of a page; null if it does not. Numbers, tokens, ids and times may
 * differ, except in a line that is only a number. `…` in the page matches any text within a line, and a line that is
 * only `…` matches any number of lines.
 */
export function textDifference(shown: string, printed: string): string | null {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${linePattern(line)}[^\\S\\n]*\\n`))
    .join('');
  return new RegExp(`^\\s*${pattern}\\s*$`).test(`${printed}\n`)
    ? null
    : `Shown:\n${shown}\nPrinted:\n${printed}`;
}

const VARIABLE = /pnl_[0-9A-Za-z]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d[\d,.]*|[^\S\n]+|…|-{3,}|─{3,}/g;

function linePattern(line: string): string {
  if (/^\d+$/.test(line.trim())) return line.trim();
  let pattern = '';
  let end = 0;
  for (const { 0: part, index } of line.trimEnd().matchAll(VARIABLE)) {
    pattern += escaped(line.slice(end, index)) + variable(part);
    end = index + part.length;
  }
  return pattern + escaped(line.trimEnd().slice(end));
}

function variable(part: string): string {
  if (part.startsWith('pnl_')) return 'pnl_[0-9A-Za-z]+';
  if (part.includes('-') && /^[0-9a-f]/.test(part)) return '[0-9a-f-]{36}';
  if (part === '…') return '.*?';
  if (/^[-─]/.test(part)) return '[-─]+';
  return /^\d/.test(part) ? '\\d[\\d,.]*' : '\\s+';
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Says where a JSON value differs from the one of a page; null if it does not. Both must have the same members, and
 * equal texts, whole numbers and booleans; but numbers within a text, tokens, ids, times and cursors may differ, as may
 * `VARYING` numbers. null matches any value. Items of an array are compared in their order. `"…"` in the page matches
 * any value, and `"…"` as the last item of an array matches further items that have the members of an earlier one.
 */
export function jsonDifference(shown: unknown, printed: unknown, path = '$'): string | null {
  if (shown === '…' || shown === null || printed === null) return null;
  if (Array.isArray(shown) && Array.isArray(printed)) return arrayDifference(shown, printed, path);
  if (kindOf(shown) !== kindOf(printed)) return `${path} is ${kindOf(printed)} and not ${kindOf(shown)}`;
  if (kindOf(shown) !== 'object')
    return isLike(shown, printed, path) ? null : `${path} is ${String(printed)} and not ${String(shown)}`;
  const [one, other] = [shown as Record<string, unknown>, printed as Record<string, unknown>];
  const open = '…' in one;
  for (const name of Object.keys(one)) {
    if (name !== '…' && !(name in other)) return `${path}.${name} is not printed`;
  }
  for (const [name, value] of Object.entries(other)) {
    if (!(name in one)) {
      if (open) continue;
      return `${path}.${name} is not shown`;
    }
    const difference = jsonDifference(one[name], value, `${path}.${name}`);
    if (difference) return difference;
  }
  return null;
}

function arrayDifference(
  shown: readonly unknown[],
  printed: readonly unknown[],
  path: string,
): string | null {
  const open = shown.at(-1) === '…';
  const examples = open ? shown.slice(0, -1) : shown;
  if (!open && examples.length !== printed.length)
    return `${path} has ${printed.length} items and not ${examples.length}`;
  if (printed.length < examples.length) return `${path} has only ${printed.length} items`;
  for (const [index, example] of examples.entries()) {
    const difference = jsonDifference(example, printed[index], `${path}[${index}]`);
    if (difference) return difference;
  }
  for (const [index, value] of printed.entries()) {
    if (index < examples.length || examples.length === 0) continue;
    if (examples.some((example) => membersOf(example) === membersOf(value))) continue;
    return `${path}[${index}] has the members ${membersOf(value)} and not ${membersOf(examples[0])}`;
  }
  return null;
}

/** Numbers that differ from run to run. */
const VARYING = /(_ms|remaining)$/;

/** A cursor, which no reader compares. */
const OPAQUE = /^[\w-]{20,}$/;

function isLike(shown: unknown, printed: unknown, path: string): boolean {
  if (typeof shown !== 'string')
    return shown === printed || (VARYING.test(path) && kindOf(shown) === 'number');
  const text = String(printed);
  return (OPAQUE.test(shown) && OPAQUE.test(text)) || new RegExp(`^${linePattern(shown)}$`).test(text);
}

function membersOf(value: unknown): string {
  return kindOf(value) === 'object' ? Object.keys(value as object).join(', ') : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
