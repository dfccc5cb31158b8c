import { fillText, placeholdersOf, type Text } from '../../lib/audit/auditTexts';
import { relativeTime, rfc3339OfSeconds } from '../../lib/time/time';
import { type Html, html, type Part } from '../html';
import { englishTexts, ownLanguages, type SectionTexts, type TextKey } from './index';

type Values<V> = Readonly<Record<string, V>>;

/** The sentences of a section, and their language. */
export interface TextTable {
  readonly language: string;
  readonly texts: Readonly<Record<TextKey, Text>>;
}

/**
 * The tables of the offered languages, the usual one first: those of the module with the given texts in place of its own,
 * and English where there is none. Throws a TypeError that names an unknown or wrong text.
 */
export function textTables(
  languages: Readonly<Record<string, SectionTexts>> = { en: {} },
  isForCustomers = false,
): readonly TextTable[] {
  const caller = isForCustomers ? 'createAccountSection' : 'createApiSection';
  const tables = Object.entries(languages).map(([language, given]) => {
    const wrong = findWrong(language, given);
    if (wrong !== null) throw new TypeError(`${caller}: the option languages ${wrong}.`);
    const found = ownLanguages[language] ?? ownLanguages[language.split('-')[0] ?? ''];
    const texts = { ...englishTexts, ...found, ...given };
    return { language, texts: isForCustomers ? textsForCustomers(texts) : texts };
  });
  if (tables.length === 0) throw new TypeError(`${caller}: the option languages must offer one.`);
  return tables;
}

const CUSTOMERS = 'customer.';

/** A text whose key begins with `customer.` is what a customer reads in place of the text of the rest of its key. */
function textsForCustomers(texts: TextTable['texts']): TextTable['texts'] {
  const own = Object.entries(texts).filter(([key]) => key.startsWith(CUSTOMERS));
  return { ...texts, ...Object.fromEntries(own.map(([key, text]) => [key.slice(CUSTOMERS.length), text])) };
}

/** Writes sentences, numbers and times in the section's language. */
export class Texts {
  readonly language: string;
  readonly #texts: TextTable['texts'];

  constructor({ language, texts }: TextTable) {
    this.language = language;
    this.#texts = texts;
  }

  /** A text as a string, for example for an attribute. Numbers are written in the language. */
  text(key: TextKey, values?: Values<string | number>): string {
    const parts = this.#fill<string | number>(key, values);
    return parts.map((part) => (typeof part === 'number' ? this.number(part) : part)).join('');
  }

  /** A text as HTML: its values may be HTML, and words in backticks are code. A placeholder is never in backticks. */
  words(key: TextKey, values?: Values<Part>): Html {
    return html`${this.#fill<Part>(key, values).map((part, index) =>
      index % 2 === 0 ? withCode(String(part)) : typeof part === 'number' ? this.number(part) : part,
    )}`;
  }

  /** A text of the module that is always English, such as those of the OpenAPI document. */
  english(text: string): Html {
    const words = withCode(text);
    return /^en\b/i.test(this.language) ? words : html`<span lang="en">${words}</span>`;
  }

  /** A text without placeholders, if there is one with this key. A later version may have written what has none. */
  known(key: string, otherwise: Part): Part {
    return this.has(key) ? this.text(key as 'audit.none') : otherwise;
  }

  has(key: string): key is TextKey {
    return Object.hasOwn(this.#texts, key);
  }

  number(value: number, format?: Intl.NumberFormatOptions): string {
    return value.toLocaleString(this.language, format);
  }

  /** A day such as `2026-06-12` as "Jun 12", or with its weekday. */
  day(day: string, more: Pick<Intl.DateTimeFormatOptions, 'weekday'> = {}): string {
    const format: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', timeZone: 'UTC', ...more };
    return new Date(day).toLocaleDateString(this.language, format);
  }

  /** A time in seconds since 1970 as "in 3 days", with the exact one in its tooltip; "never" for null. */
  relative(seconds: number | null): Html {
    return this.#time(seconds, (exact, at) => {
      const words = relativeTime(at, Math.floor(Date.now() / 1000), this.language);
      return html`data-time="relative" title="${this.text('time.utc', { time: exact })}">${words}`;
    });
  }

  /** A time to the minute, in UTC; "never" for null. */
  exact(seconds: number | null): Html {
    return this.#time(seconds, (exact) => html`data-time="exact">${exact}`);
  }

  /** A time in words, relative to now and exact; "never" for null. */
  relativeAndExact(seconds: number | null): Html {
    return html`${this.relative(seconds)}${seconds !== null && html` <small>${this.exact(seconds)}</small>`}`;
  }

  #time(seconds: number | null, rest: (exact: string, seconds: number) => Html): Html {
    const time = rfc3339OfSeconds(seconds);
    if (seconds === null || time === null) return html`<span class="none">${this.text('time.never')}</span>`;
    return html`<time datetime="${time}" ${rest(`${time.slice(0, 10)} ${time.slice(11, 16)}`, seconds)}</time>`;
  }

  #fill<V>(key: TextKey, values?: Values<V>) {
    return fillText<V>(this.#texts[key], values, this.language);
  }
}

/** A text with the parts in backticks as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** What is wrong with a language and its texts; null if nothing is. */
function findWrong(language: string, texts: unknown): string | null {
  if (!isLanguage(language)) return 'must have a language such as en or pt-BR';
  if (typeof texts !== 'object' || texts === null) return `must have an object of texts as ${language}`;
  for (const [key, text] of Object.entries(texts)) {
    if (!Object.hasOwn(englishTexts, key)) return `has no text ${key}`;
    if (!isText(text)) return `must have a string or an object of plural forms as ${key}`;
    const known = new Set(placeholdersOf(englishTexts[key as TextKey]));
    if (key.startsWith('invalid.')) known.add('message').add('named');
    const unknown = [...placeholdersOf(text)].find((name) => !known.has(name));
    if (unknown !== undefined) return `has an unknown placeholder {${unknown}} in ${key}`;
  }
  return null;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const PLURAL_FORMS = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

function isText(text: unknown): text is Text {
  if (typeof text === 'string') return true;
  if (typeof text !== 'object' || text === null || !Object.hasOwn(text, 'other')) return false;
  return Object.entries(text).every(([form, words]) => PLURAL_FORMS.has(form) && typeof words === 'string');
}
