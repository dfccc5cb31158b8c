import { domainToASCII, domainToUnicode } from 'node:url';

// A domain name has two spellings, `bücher.example` and `xn--bcher-kva.example`. Panels store either of them, and
// clients ask for either. It may follow the `@` of an address.

const BEYOND_ASCII = /[^\0-\x7f]/;
const ENCODED = /(?:^|[.@])xn--/i;

/** Returns a filter's value, and the other spelling of a name in it. */
export function spellingsOf(name: string): readonly string[] {
  return [...new Set([name, toAscii(name), toUnicode(name)])];
}

/** Whether a text is in one of two spellings. */
export function hasSpellings(text: string): boolean {
  return BEYOND_ASCII.test(text) || ENCODED.test(text);
}

export function toAscii(name: string): string {
  return BEYOND_ASCII.test(name) ? converted(name, domainToASCII) : name;
}

function toUnicode(name: string): string {
  return ENCODED.test(name) ? converted(name, domainToUnicode) : name;
}

/** Converts what follows the last `@`. A part that is no domain name stays as it is. */
function converted(name: string, convert: (domain: string) => string): string {
  const start = name.lastIndexOf('@') + 1;
  const domain = name.slice(start);
  return name.slice(0, start) + (convert(domain) || domain);
}

/** Whether a name begins with the text, in the spelling of the text if that has two. */
export function beginsInEither(
  name: string,
  text: string,
  begins: (name: string, text: string) => boolean,
): boolean {
  return (
    begins(name, text) ||
    (BEYOND_ASCII.test(text) && ENCODED.test(name) && begins(toUnicode(name), text.toLowerCase())) ||
    (ENCODED.test(text) && begins(toAscii(name), text))
  );
}

/** Returns texts with one of which every name for which `beginsInEither` holds begins. */
export function spelledBeginnings(text: string): readonly string[] {
  if (!hasSpellings(text)) return [text];
  const start = Math.max(text.lastIndexOf('.'), text.lastIndexOf('@')) + 1;
  const [head, label] = [text.slice(0, start), text.slice(start)];
  // An encoded label begins with its characters of ASCII.
  const encoded = `${toAscii(head)}xn--${label.toLowerCase().replace(/[^\0-\x7f]/g, '')}`;
  const mayBeEncoded = 'xn--'.startsWith(label.slice(0, 4).toLowerCase());
  return [
    ...new Set([
      text,
      encoded,
      ...(BEYOND_ASCII.test(label) ? [] : [toAscii(head) + label]),
      ...(ENCODED.test(text) ? [toUnicode(head) + (mayBeEncoded ? '' : label)] : []),
    ]),
  ];
}
