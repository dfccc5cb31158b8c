import { isSecretName } from './isSecretName';
import { MASK } from './mask';

const NAME = /(\\?["'])([\w.-]+)\1\s*(?:=>|:)\s*/g;
/** A list, a text in quotes (escaped ones too), or a bare word. */
const VALUE =
  /\[[^\]]*\]?|\\"(?:(?!\\")[\s\S])*(?:\\")?|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?|[^\s,;|&<>(){}[\]"'\\]+/y;
const IDENTIFIED_BY = /(\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+\\?["'])[^"'\\]+/gi;

/** Without one of these there is nothing of the kind, and one look tells it. */
const ANY = /["']\s*(?:=>|:)|identified/i;

/** The secrets masked in data inside a command: JSON and PHP fields, SQL that sets a password. */
export function maskFields(text: string): string {
  if (!ANY.test(text)) return text;
  const value = new RegExp(VALUE);
  let masked = '';
  let end = 0;
  for (const { 0: start, 2: name = '', index } of text.matchAll(NAME)) {
    value.lastIndex = index + start.length;
    // The value of a field before it may hold this one.
    const found = index < end || !isSecretName(name) ? null : value.exec(text);
    if (found === null) continue;
    const quote = /^\\?["']/.exec(found[0])?.[0] ?? '';
    masked += text.slice(end, found.index) + quote + MASK + quote;
    end = value.lastIndex;
  }
  return (masked + text.slice(end)).replace(IDENTIFIED_BY, `$1${MASK}`);
}
