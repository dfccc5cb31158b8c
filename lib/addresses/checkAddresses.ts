import { isIPv4 } from 'node:net';
import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../text/printable';
import { canonicalAddress } from './canonicalAddress';
import { networkStart } from './networkStart';

const MOST_ADDRESSES = 100;

/** How many of the wrong ones a message names. */
const MOST_NAMED = 5;

const NETWORK = /^([^/]+)\/(0|[1-9]\d{0,2})$/;

/** IPv4 within IPv6, ::ffff:0:0/96. */
const MAPPED_LENGTH = 96;

/**
 * Addresses and networks (CIDR) in their one spelling, each once. Throws InvalidInput that names those which are wrong.
 */
export function checkAddresses(given: unknown): readonly string[] {
  if (!Array.isArray(given))
    throw new InvalidInput('allowedAddresses', 'The allowed addresses must be a list.');
  if (given.length > MOST_ADDRESSES) {
    throw new InvalidInput(
      'allowedAddresses',
      `A token may have at most ${MOST_ADDRESSES} allowed addresses.`,
    );
  }
  const read = Array.from(given, readAddress);
  const wrong = read.flatMap((result) => ('wrong' in result ? [result.wrong] : []));
  if (wrong.length > 0) {
    const rest = wrong.length > MOST_NAMED ? [`And ${wrong.length - MOST_NAMED} more are wrong.`] : [];
    throw new InvalidInput('allowedAddresses', [...wrong.slice(0, MOST_NAMED), ...rest].join(' '));
  }
  return [...new Set(read.flatMap((result) => ('address' in result ? [result.address] : [])))];
}

type Result = { readonly address: string } | { readonly wrong: string };

function readAddress(given: unknown): Result {
  if (typeof given !== 'string') return { wrong: 'An allowed address must be text.' };
  const shown = `"${printable(given, 64)}"`;
  const single = canonicalAddress(given);
  if (single !== null) return { address: single };
  const [, base = '', digits = ''] = NETWORK.exec(given) ?? [];
  const address = canonicalAddress(base);
  if (address === null) {
    return given.includes('%')
      ? { wrong: `${shown} names a zone; an allowed address has none.` }
      : { wrong: `${shown} is neither an address, such as 192.0.2.7, nor a network, such as 2001:db8::/32.` };
  }
  const mapped = isIPv4(address) && !isIPv4(base);
  const length = Number(digits) - (mapped ? MAPPED_LENGTH : 0);
  const start = length < 0 ? null : networkStart(address, length);
  if (start === null) return { wrong: `${shown} has a prefix length that its addresses cannot have.` };
  if (start === address) return { address: `${address}/${length}` };
  // Whether the one address or the whole network was meant is not ours to guess.
  return { wrong: `${shown} is an address within a network: write ${start}/${length} or ${address}.` };
}
