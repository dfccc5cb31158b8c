import type { AuditAction, AuditEntry } from './AuditLog';
import texts from './en.json';

/**
 * The English words for the entries of the audit trail. The command uses them, and the API section by default.
 * @internal
 */
export const auditTexts: Readonly<Record<keyof typeof texts, Text>> = texts;

/** @internal */
export type AuditTextKey = keyof typeof texts;

/** The words for an action. */
export function actionText(action: AuditAction): `audit.${AuditAction}` {
  return `audit.${action}`;
}

/** A value in the details of an entry, and how it is shown. @internal */
export type DetailValue =
  | { readonly kind: 'text'; readonly text: string }
  /** Scopes or addresses. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** A time as RFC 3339. */
  | { readonly kind: 'time'; readonly time: string }
  | { readonly kind: 'duration'; readonly seconds: number }
  | { readonly kind: 'token'; readonly id: number }
  | { readonly kind: 'number'; readonly number: number }
  /** A value that is a sentence of its own, such as "all accounts". */
  | { readonly kind: 'key'; readonly key: AuditTextKey };

/** One detail of an entry: the value, and the one before it if it was changed. @internal */
export interface Detail {
  /** The name as stored, such as `expires_at` or the name of a setting. */
  readonly name: string;
  /** The words for the name; null if there are none, for example for a setting. */
  readonly nameKey: AuditTextKey | null;
  readonly from: DetailValue | null;
  readonly value: DetailValue;
}

/**
 * The details of an entry in the order in which they are stored. What a new token lacks is left out, except the expiry:
 * that a token never expires must be seen. @internal
 */
export function detailsOf({ details }: Pick<AuditEntry, 'details'>): readonly Detail[] {
  return Object.entries(details)
    .filter(([name, value]) => name === 'expires_at' || !isNone(value))
    .map(([name, value]) => ({
      name,
      nameKey: knownKey(`audit.name.${name}`),
      from: isChange(value) ? shownValue(name, value.from) : null,
      value: shownValue(name, isChange(value) ? value.to : value),
    }));
}

function isNone(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function knownKey(key: string): AuditTextKey | null {
  return Object.hasOwn(auditTexts, key) ? (key as AuditTextKey) : null;
}

/** Whether a detail says from what to what a property was changed. */
export function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

const TOKENS = new Set(['replaces', 'replaced_by']);

function shownValue(name: string, value: unknown): DetailValue {
  if (isNone(value)) return { kind: 'key', key: knownKey(`audit.none.${name}`) ?? noneKey(name) };
  if (typeof value === 'boolean') return { kind: 'key', key: value ? 'audit.yes' : 'audit.no' };
  if (Array.isArray(value)) return { kind: 'words', words: value.map(String) };
  if (typeof value === 'number' && TOKENS.has(name)) return { kind: 'token', id: value };
  if (typeof value === 'number' && name === 'grace_seconds') return { kind: 'duration', seconds: value };
  if (typeof value === 'number') return { kind: 'number', number: value };
  if (typeof value !== 'string') return { kind: 'text', text: JSON.stringify(value) };
  return name.endsWith('_at') && !Number.isNaN(Date.parse(value))
    ? { kind: 'time', time: value }
    : { kind: 'text', text: value };
}

// The only settings that may be null are days until a token expires.
function noneKey(name: string): AuditTextKey {
  return name.endsWith('_expiry_days') ? 'audit.none.expires_at' : 'audit.none';
}

/** A sentence with placeholders such as `{name}`, or one form per plural category of `{count}` (Intl.PluralRules). */
export type Text = string | PluralText;

/** The forms of a sentence that counts something. A form that is left out is `other`. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

const PLACEHOLDER = /\{(\w+)\}/;

/**
 * Returns the parts of a sentence in their order: its words, and the value of each placeholder. `language` is a BCP 47
 * tag, by which the plural form is chosen; default English.
 */
export function fillText<V>(
  text: Text,
  values: Readonly<Record<string, V>> = {},
  language = 'en',
): readonly (string | V | undefined)[] {
  const form = typeof text === 'string' ? text : formOf(text, Number(values.count), language);
  return form.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : values[part]));
}

function formOf(text: PluralText, count: number, language: string): string {
  return text[new Intl.PluralRules(language).select(count)] ?? text.other;
}

/** The names of the placeholders of all forms of a text. */
export function placeholdersOf(text: Text): ReadonlySet<string> {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return new Set(forms.flatMap((form) => form.split(PLACEHOLDER).filter((_, index) => index % 2 === 1)));
}
