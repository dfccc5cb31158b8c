export type { Field, Fields, ObjectOf, ReadRow } from './Field';
export { alwaysDerived, derived, filterable, keyName, required, searchable } from './Field';
export { listOf, object, objectSchema } from './objects';
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
