import type { Field } from '../../fields';
import { readTextList } from '../../fields/scalars';
import { aText } from '../checks';
import { type ColumnReading, type Only, onlyFor } from './description';

export interface SeparatorKeywords<F extends Field = Field> {
  /** For lists: the text between two members. Default: commas, semicolons, white space or `|`. */
  readonly separator?: Only<F, readonly string[], string>;
}

export const separator: ColumnReading<SeparatorKeywords> = {
  keywords: onlyFor('list', { separator: aText }),
  isAsked: ({ separator }) => separator !== undefined,
  plan: (_parts, { separator }) => ({ read: (raw) => readTextList(raw, separator) }),
};
