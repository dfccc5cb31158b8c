import { isIP, isIPv4, SocketAddress } from 'node:net';

const MAPPED = '::ffff:';

/**
 * An address in its one spelling: IPv6 short and in small letters, IPv4 that comes as IPv6 as IPv4. Null for what is
 * no address, and for one with a zone, which only means something on this very machine.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return null;
  if (family === 4) return text;
  // As a server that listens for both gives every address of IPv4.
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length);
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}
