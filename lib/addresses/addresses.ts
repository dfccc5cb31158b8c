import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';
import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../errors/printable';

const MAPPED = '::ffff:';

/**
 * Returns an address in its canonical spelling: IPv6 short and in lower case, IPv4-mapped IPv6 as IPv4. Returns null
 * for an invalid address and for one with a zone, which is valid only on its own machine.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return null;
  if (family === 4) return text;
  // A server that listens for IPv4 and IPv6 reports every IPv4 address in this form.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length);
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whether an address, in any spelling, is a loopback address. False for an invalid address. */
export function isLoopback(address: string): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === null) return false;
  return isIPv4(canonical) ? canonical.startsWith('127.') : canonical === '::1';
}

const ALLOWED_ENTRY = /^(.+)\/(\d+)$/;
const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/**
 * Whether a client's address is in this list of addresses and networks. An empty list allows any address; a list with
 * entries allows no invalid address.
 */
export function isAllowed(client: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  // The zone names the connection's interface, not the client.
  const address = client.replace(/%.*$/s, '');
  const family = isIP(address);
  if (family !== 4 && family !== 6) return false;
  if (allowed.includes(address)) return true;
  const networks = new BlockList();
  for (const entry of allowed) {
    const [, base = '', length] = ALLOWED_ENTRY.exec(entry) ?? [];
    // Node finds every IPv4 address in ::/0. An invalid entry allows no address.
    if (isIP(base) === family && Number(length) <= (family === 4 ? 32 : 128)) {
      networks.addSubnet(base, Number(length), FAMILIES[family]);
    }
  }
  return networks.check(address, FAMILIES[family]);
}

/**
 * Whether each of these addresses and networks is within one of the others. An empty list, which allows any address, is
 * only within an empty one.
 */
export function isCovered(entries: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  const isWithin = (entry: string) => {
    const [base = '', length] = entry.split('/');
    const longEnough = (other: string) => Number(other.split('/')[1]) <= Number(length);
    // A network is within another if its first address is and it is not larger.
    const wide = length === undefined ? others : others.filter(longEnough);
    return wide.length > 0 && isAllowed(base, wide);
  };
  return entries.length > 0 && entries.every(isWithin);
}

/**
 * Returns the first address of the network with this length around a canonical address; null if the length is too
 * large.
 */
function networkStart(address: string, length: number): string | null {
  const [parts, bits] = isIPv4(address)
    ? [address.split('.').map(Number), 8]
    : [groupsOf(address).map((group) => Number.parseInt(group, 16)), 16];
  if (length > parts.length * bits) return null;
  const start = parts.map((part, index) => {
    const kept = Math.min(bits, Math.max(0, length - index * bits));
    return part & (2 ** bits - 2 ** (bits - kept));
  });
  if (bits === 8) return start.join('.');
  return canonicalAddress(start.map((group) => group.toString(16)).join(':'));
}

/** The network of an address, as providers assign them: /24 of IPv4, /48 of IPv6. Null for anything but an address. */
export function networkOf(address: string): string | null {
  const canonical = canonicalAddress(address);
  if (canonical === null) return null;
  const length = isIPv4(canonical) ? 24 : 48;
  return `${networkStart(canonical, length)}/${length}`;
}

function groupsOf(address: string): readonly string[] {
  // In a URL, the last two groups are never written as IPv4.
  const { hostname } = new URL(`http://[${address}]`);
  const sides = hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = sides.map((side) => side.split(':').filter(Boolean));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

const MOST_ADDRESSES = 100;

/** How many invalid addresses a message names. */
const MOST_NAMED = 5;

const NETWORK = /^([^/]+)\/(0|[1-9]\d{0,2})$/;

/** IPv4-mapped IPv6, ::ffff:0:0/96. */
const MAPPED_LENGTH = 96;

/**
 * Returns addresses and networks (CIDR) in canonical spelling, without duplicates. Throws InvalidInput that names the
 * invalid ones.
 */
export function checkAddresses(given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw invalid('The allowed addresses must be an array.');
  if (given.length > MOST_ADDRESSES)
    throw invalid(`A token may have at most ${MOST_ADDRESSES} allowed addresses.`);
  const read = Array.from(given, readAddress);
  const wrong = read.flatMap((result) => ('wrong' in result ? [result.wrong] : []));
  if (wrong.length > 0) {
    const rest =
      wrong.length > MOST_NAMED ? [`${wrong.length - MOST_NAMED} more addresses are invalid.`] : [];
    throw invalid([...wrong.slice(0, MOST_NAMED), ...rest].join(' '));
  }
  return [...new Set(read.flatMap((result) => ('address' in result ? [result.address] : [])))];
}

function invalid(message: string): InvalidInput {
  return new InvalidInput('allowedAddresses', message);
}

type Result = { readonly address: string } | { readonly wrong: string };

function readAddress(given: unknown): Result {
  if (typeof given !== 'string') return { wrong: 'An allowed address must be a string.' };
  const shown = `"${printable(given, 64)}"`;
  const single = canonicalAddress(given);
  if (single !== null) return { address: single };
  const [, base = '', digits = ''] = NETWORK.exec(given) ?? [];
  const address = canonicalAddress(base);
  if (address === null) {
    return given.includes('%')
      ? { wrong: `${shown} contains a zone, which an allowed address must not have.` }
      : { wrong: `${shown} is not an address, such as 192.0.2.7, or a network, such as 2001:db8::/32.` };
  }
  const mapped = isIPv4(address) && !isIPv4(base);
  const length = Number(digits) - (mapped ? MAPPED_LENGTH : 0);
  const start = length < 0 ? null : networkStart(address, length);
  if (start === null) return { wrong: `${shown} has an invalid prefix length.` };
  if (start === address) return { address: `${address}/${length}` };
  // It is unclear whether the address or the whole network was meant.
  return {
    wrong: `${shown} combines an address with a prefix length: write ${start}/${length} for the network or ${address} for the address.`,
  };
}
