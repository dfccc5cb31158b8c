import type { Fields } from './Field';

/** The field that is the key of a list: its first. */
export function keyName(fields: Fields): string {
  const [name] = Object.keys(fields);
  if (name === undefined) throw new Error('A list needs a field.');
  return name;
}
