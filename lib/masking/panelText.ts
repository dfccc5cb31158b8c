import { text } from '../fields';
import type { Field } from '../fields/Field';
import { hideCredentials } from './credentials';

/** A text that the panel writes freely, such as an error. Credentials in it are hidden. */
export function panelText(description: string): Field<string, 'text'> {
  const field = text(description);
  const read = field.reader();
  return {
    ...field,
    reader: () => (raw) => {
      const written = read(raw);
      return written === null ? null : hideCredentials(written);
    },
  };
}
