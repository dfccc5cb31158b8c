import { BlockList, isIP } from 'node:net';

const NETWORK = /^(.+)\/(\d+)$/;
const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** Whether a client's address is one of these addresses or networks; none means any. What is no address is in no list. */
export function isAllowed(client: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  // The zone says through which interface it came, not who it is.
  const address = client.replace(/%.*$/s, '');
  const family = isIP(address);
  if (family !== 4 && family !== 6) return false;
  if (allowed.includes(address)) return true;
  const networks = new BlockList();
  for (const entry of allowed) {
    const [, base = '', length] = NETWORK.exec(entry) ?? [];
    // Node finds every IPv4 address in ::/0. What cannot be read allows nobody.
    if (isIP(base) === family && Number(length) <= (family === 4 ? 32 : 128)) {
      networks.addSubnet(base, Number(length), FAMILIES[family]);
    }
  }
  return networks.check(address, FAMILIES[family]);
}
