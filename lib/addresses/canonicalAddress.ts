import { isIP, SocketAddress } from 'node:net';

/**
 * An address in its one spelling: IPv6 short and in small letters, IPv4 that comes as IPv6 as IPv4. Null for what is
 * no address, and for one with a zone, which only means something on this very machine.
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return null;
  if (family === 4) return text;
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}
