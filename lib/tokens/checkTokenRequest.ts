import { checkAddresses } from '../addresses/addresses';
import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import { CONTROL } from '../errors/printable';
import { checkScopes, EVERY_SCOPE } from '../fields/Operation';
import { declaredSettings } from '../settings/declaredSettings';
import type { TokenLife } from '../settings/Settings';
import { DAY_SECONDS, dayOf, LAST_SECOND } from '../time/time';
import { checkBinding, refuseToken } from './checkBinding';
import {
  bindingTo,
  type Expiry,
  type TokenChanges,
  type TokenProperties,
  type TokenRequest,
} from './TokenRecord';
import type { ChangeParts } from './tokenRows';

const LONGEST_NAME = 128;
const LONGEST_NOTE = 500;

type TokenRules = Pick<ChangeParts, 'scopes' | 'prefix' | 'life' | 'customer'>;

/** Returns a copy of the request, as `checkKeys` does. */
export function copyRequest(request: TokenRequest): TokenRequest {
  if (typeof request !== 'object' || request === null)
    throw new InvalidInput('name', 'A new token needs a name and at least one scope.');
  return checkKeys(request, 'A new token', [...PROPERTIES, 'idempotencyKey']);
}

/**
 * Returns the properties of a new token, whose accounts were not looked up. `now` is the database's clock. Throws
 * InvalidInput that names the invalid property.
 */
export function checkTokenRequest(request: TokenRequest, rules: TokenRules, now: number): TokenProperties {
  const { usual } = rules.life;
  const expiresAt = usual === null ? null : now + usual * DAY_SECONDS;
  const defaults = { note: null, ...bindingTo([]), allowedAddresses: [], rateLimit: null, expiresAt };
  return { ...defaults, ...checkTokenChanges(request, rules, now, false) } as TokenProperties;
}

/**
 * Returns the properties to change. Throws InvalidInput that names the invalid property. A change may leave out the name
 * and the scopes, and have null for nothing.
 */
export function checkTokenChanges(
  given: Omit<TokenChanges, 'version'>,
  rules: TokenRules,
  now: number,
  isChange = true,
): Partial<TokenProperties> {
  const { name, note, scopes, allowedAddresses, rateLimit } = given;
  const isGiven = (property: keyof TokenChanges) => !isChange || property in given;
  const isNothing = (value: unknown) => isChange && value === null;
  const expiresAt = checkNewExpiry(given, rules, now);
  return {
    ...(isGiven('name') ? { name: checkName(name, rules) } : {}),
    ...('note' in given ? { note: isNothing(note) ? null : checkNote(note, rules) } : {}),
    ...(isGiven('scopes') ? { scopes: checkTokenScopes(scopes, rules) } : {}),
    ...checkBinding(given, rules, isChange),
    ...('allowedAddresses' in given ? { allowedAddresses: checkAddresses(allowedAddresses) } : {}),
    ...('rateLimit' in given ? { rateLimit: isNothing(rateLimit) ? null : checkRateLimit(rateLimit) } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** The properties of a request or a change. */
export const PROPERTIES = [
  'name',
  'note',
  'scopes',
  'accountId',
  'accountIds',
  'owner',
  'allowedAddresses',
  'rateLimit',
  'expiresAt',
  'expiresInSeconds',
] as const;

function checkName(name: unknown, rules: TokenRules): string {
  const trimmed = typeof name === 'string' ? name.trim().toWellFormed() : '';
  if (trimmed === '') throw new InvalidInput('name', 'The name of a token must not be empty.');
  if (trimmed.length > LONGEST_NAME || CONTROL.test(trimmed))
    throw new InvalidInput(
      'name',
      `The name of a token must be a string of at most ${LONGEST_NAME} characters, without control characters.`,
    );
  refuseToken('name', 'name', trimmed, rules);
  return trimmed;
}

function checkNote(note: unknown, rules: TokenRules): string | null {
  // Browsers send lines that end with CR and LF.
  const text = typeof note === 'string' ? note.replace(/\r\n?/g, '\n').trim().toWellFormed() : '\0';
  if (text.length > LONGEST_NOTE || CONTROL.test(text.replaceAll('\n', '')))
    throw new InvalidInput(
      'note',
      `The note of a token must be a string of at most ${LONGEST_NOTE} characters, without control characters except line breaks.`,
    );
  refuseToken('note', 'note', text, rules);
  return text === '' ? null : text;
}

function checkTokenScopes(scopes: unknown, { scopes: allowed, customer }: TokenRules): readonly string[] {
  if (!Array.isArray(scopes) || scopes.length === 0)
    throw new InvalidInput('scopes', 'A token needs at least one scope.');
  const checked = checkScopes('scopes', scopes, allowed, customer && 'Customers may not have the scope');
  // The wildcard includes all other scopes.
  return checked.includes(EVERY_SCOPE) ? [EVERY_SCOPE] : checked;
}

// It has the same bounds as the setting that it replaces.
function checkRateLimit(limit: unknown): number {
  const { accept, expects } = declaredSettings.rateLimitRequests;
  const accepted = accept(limit);
  if (accepted !== undefined) return accepted;
  throw new InvalidInput('rateLimit', `The rate limit of a token must be ${expects}.`);
}

/** Returns undefined if neither is given. */
function checkExpiry({ expiresAt, expiresInSeconds }: Expiry, now: number): number | undefined {
  if (expiresAt !== undefined && expiresInSeconds !== undefined)
    throw new InvalidInput('expires', 'Set either expiresAt or expiresInSeconds, not both.');
  const [given, from] = expiresInSeconds === undefined ? [expiresAt, 0] : [expiresInSeconds, now];
  if (given === undefined) return undefined;
  const expiry = from + (Number.isSafeInteger(given) ? Number(given) : Number.NaN);
  if (!(expiry <= LAST_SECOND))
    throw new InvalidInput('expires', 'The expiry must be a whole number of seconds, before the year 10000.');
  if (expiry <= now) throw new InvalidInput('expires', 'The expiry must be in the future.');
  return expiry;
}

/**
 * Returns the new expiry, or undefined if none is given. Throws InvalidInput if it is beyond the longest life. `now` is
 * the database's clock.
 */
export function checkNewExpiry(
  expiry: Expiry,
  { life, customer }: Pick<TokenRules, 'life' | 'customer'>,
  now: number,
): number | null | undefined {
  const isNever = expiry.expiresAt === null && expiry.expiresInSeconds === undefined;
  const chosen = isNever ? null : checkExpiry(expiry, now);
  if (chosen === undefined || chosen === withinLife(chosen, life, now)) return chosen;
  throw new InvalidInput(
    'expires',
    `A token must expire within ${life.longest} days${customer ? '' : ', by the setting max_expiry_days'}.`,
  );
}

/** An expiry that is taken over from another token, or the end of the longest life if that is earlier. */
export function withinLife(expiresAt: number | null, { longest }: TokenLife, now: number): number | null {
  if (longest === null) return expiresAt;
  // Who chooses a date means its end.
  const last = (dayOf(now) + longest + 1) * DAY_SECONDS - 1;
  return Math.min(expiresAt ?? last, last);
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;

/** Returns null if the request has no key. A key that is undefined by mistake is refused. */
export function checkIdempotencyKey(request: { readonly idempotencyKey?: unknown }): string | null {
  if (!('idempotencyKey' in request)) return null;
  const { idempotencyKey } = request;
  if (typeof idempotencyKey === 'string' && IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new InvalidInput('idempotencyKey', 'The idempotency key must be 1 to 64 visible ASCII characters.');
}
