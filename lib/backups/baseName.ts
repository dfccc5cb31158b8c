// The address of a stored object may carry a password before its host and a signature after its path.
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*([^?#]*)/i;

/** The last part of a path or address, without any directory; null where nothing is left. */
export function baseName(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  const parts = (ADDRESS.exec(path)?.[1] ?? path).split(/[/\\]/);
  return parts.findLast((part) => part !== '') ?? null;
}
