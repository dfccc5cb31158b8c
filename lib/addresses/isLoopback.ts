import { isIPv4 } from 'node:net';
import { canonicalAddress } from './canonicalAddress';

/** Whether an address, in any spelling, is the machine's own; a text that is no address is not. */
export function isLoopback(address: string): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === null) return false;
  return isIPv4(canonical) ? canonical.startsWith('127.') : canonical === '::1';
}
