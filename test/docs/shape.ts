/**
 * Says how a printed text differs in shape from the one of a page; null if it does not. Numbers, tokens, ids and times
 * may differ, and `…` in the page is any text within a line. A line of the page that is only `…` is any lines.
 */
export function textDifference(shown: string, printed: string): string | null {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n?)*?' : `${linePattern(line)}\\s*?(?:\\n|$)`))
    .join('');
  return new RegExp(`^\\s*${pattern}\\s*$`).test(printed) ? null : `Shown:\n${shown}\nPrinted:\n${printed}`;
}

const VARIABLE = /pnl_[0-9A-Za-z]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d[\d,.]*|[^\S\n]+|…|-{3,}|─{3,}/g;

function linePattern(line: string): string {
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
 * Says where a JSON value differs in shape from the one of a page; null if it does not. Both must have the same members,
 * of the same types; null and a value are of one type. Each item of an array must be like one that the page shows. `"…"`
 * in the page is any value, and `"…"` as the last item of an array is any number of further items.
 */
export function jsonDifference(shown: unknown, printed: unknown, path = '$'): string | null {
  if (shown === '…' || shown === null || printed === null) return null;
  if (Array.isArray(shown) && Array.isArray(printed)) return arrayDifference(shown, printed, path);
  if (kindOf(shown) !== kindOf(printed)) return `${path} is ${kindOf(printed)} and not ${kindOf(shown)}`;
  if (kindOf(shown) !== 'object') return null;
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
  for (const [index, value] of printed.entries()) {
    const tries = examples.map((example) => jsonDifference(example, value, `${path}[${index}]`));
    if (tries.length > 0 && !tries.includes(null)) return tries[0] ?? null;
  }
  return null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
