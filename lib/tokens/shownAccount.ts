import type { Id } from '../fields/id';
import type { Source } from '../sources/Source';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * An account that is kept as text as `accounts.php` shows it: an integer, in all its digits, where it is written as one
 * and accounts are not known to have texts for keys.
 */
export async function shownAccount(text: string | null, accounts: Source | undefined): Promise<Id | null> {
  if (text === null || !INTEGER.test(text)) return text;
  const report = await accounts?.report().catch(() => undefined);
  if (report?.itemSchema.properties.id?.type === 'string') return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
