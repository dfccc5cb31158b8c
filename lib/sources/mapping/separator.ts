import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { aText } from '../checks';
import { type ColumnReading, type Only, onlyFor } from './description';

export interface SeparatorKeywords<F extends Field = Field> {
  /** For lists: the text between two members. Default: commas, semicolons, white space or `|`. */
  readonly separator?: Only<F, readonly string[], string>;
}

export const separator: ColumnReading<SeparatorKeywords> = {
  keywords: onlyFor('list', { separator: aText }),
  isAsked: ({ separator }) => separator !== undefined,
  plan({ field }, { separator = ',' }) {
    const read = field.reader();
    return { read: (raw) => read(rawText(raw)?.split(separator) ?? null) };
  },
};
