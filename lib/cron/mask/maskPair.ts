import { MASK } from './mask';

/** A user and a password as curl, lftp and smbclient take them, the user left readable; null if it is no pair. */
export function maskPair(text: string): string | null {
  const user = /^([^:,%]*[:,%])[\s\S]/.exec(text)?.[1];
  if (user === undefined) return null;
  return /^[\w.@+${}-]+[:,%]$/.test(user) ? user + MASK : MASK;
}
