/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 embeds it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of an object that always has these members, and no others. */
export function closedSchema<P extends Readonly<Record<string, JsonSchema>>>(properties: P) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Returns what a text means as JSON; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Like `JSON.stringify`, with integers beyond 2^53 (bigint) in all their digits, which `JSON.stringify` refuses. JSON
 * itself does not limit integers (RFC 8259, section 6). A value with such an integer is not indented.
 */
export function toJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, 'toJSON' in BigInt.prototype ? refuseBigint : undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return exactJson(value);
  }
}

/** A panel may define a form of bigint for all of its JSON, which is text or loses digits. */
function refuseBigint(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  if (typeof this[key] === 'bigint') throw new TypeError('A bigint has no form in JSON.');
  return value;
}

function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${exactJson(member)}`);
  return `{${members.join(',')}}`;
}

const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns equivalent JSON that is safe on a terminal and in a file: characters that `JSON.stringify` does not escape, such as DEL, C1
 * controls and bidirectional marks, are written as `\uXXXX`.
 */
export function printableJson(value: unknown, indent = 0): string {
  // JSON.stringify escapes line feeds within strings, so the remaining ones separate lines.
  return toJson(value, indent).replace(UNPRINTABLE, escapeUnits);
}

function escapeUnits(character: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return character.split('').map(escaped).join('');
}
