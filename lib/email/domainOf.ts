/** What follows the last `@` of an address; null where there is no such part. */
export function domainOf(address: unknown): string | null {
  if (typeof address !== 'string' || !address.includes('@')) return null;
  return address.slice(address.lastIndexOf('@') + 1).trim() || null;
}
