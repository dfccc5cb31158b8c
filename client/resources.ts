import { keyName } from '../lib/fields';
import { operations } from '../routes';

/**
 * Every resource, with the name of its key; null for one that is an object. The build replaces this file by its values,
 * because the client loads nothing else of the module.
 */
export const resources: Readonly<Record<string, string | null>> = Object.fromEntries(
  operations.map(({ name, kind, fields }) => [name, kind === 'list' ? keyName(fields) : null]),
);
