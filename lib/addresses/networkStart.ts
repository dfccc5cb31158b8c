import { isIPv4 } from 'node:net';
import { canonicalAddress } from './canonicalAddress';

/** The first address of the network of this length in which a canonical address lies. Null for a length too great. */
export function networkStart(address: string, length: number): string | null {
  const [parts, bits] = isIPv4(address)
    ? [address.split('.').map(Number), 8]
    : [groupsOf(address).map((group) => Number.parseInt(group, 16)), 16];
  if (length > parts.length * bits) return null;
  const kept = parts.map((part, index) => {
    const own = Math.min(bits, Math.max(0, length - index * bits));
    return part & (2 ** bits - 2 ** (bits - own));
  });
  if (bits === 8) return kept.join('.');
  return canonicalAddress(kept.map((group) => group.toString(16)).join(':'));
}

function groupsOf(address: string): readonly string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').flatMap(hex)));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

// The last two groups may be written as IPv4.
function hex(group: string): readonly string[] {
  if (!group.includes('.')) return [group];
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}
