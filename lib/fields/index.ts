export type { Field, Fields, ObjectOf, ReadContext, ReadRow } from './Field';
export {
  alwaysDerived,
  anyObject,
  derived,
  filterable,
  keyName,
  listOf,
  object,
  objectSchema,
  required,
  searchable,
} from './Field';
export {
  bytes,
  count,
  flag,
  id,
  integer,
  integerId,
  milliseconds,
  number,
  oneOf,
  openWord,
  percent,
  text,
  textList,
  word,
} from './scalars';
export { time } from './times';
