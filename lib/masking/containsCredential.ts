import { isPlain } from './harmlessText';

/** Begins the text of a key or a certificate. */
const PEM = /-----BEGIN /;
// A password that is not encoded may contain any character.
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/@:]*:.+@/;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
/** Letters beside digits, or a capital inside. A number is no credential, and neither is a long word. */
const MIXED = /[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]/;
/** How many letters and digits a credential has at least. */
const LENGTH = 16;

/**
 * Whether a text contains a key, an address with a password, or a word that looks random. In doubt it returns true for a
 * long word, because a leak cannot be undone.
 */
export function containsCredential(text: string): boolean {
  if (PEM.test(text) || ADDRESS_WITH_PASSWORD.test(text) || UUID.test(text)) return true;
  return text.split(/[\s,;:"'[\](){}<>|]+/).some(isRandom);
}

function isRandom(word: string): boolean {
  const strange = (word.match(/[A-Za-z0-9]+/g) ?? []).filter((run) => !isPlain(run)).join('');
  return strange.length >= LENGTH && MIXED.test(strange);
}
