import type { Fields, ObjectOf } from '../fields';
import type { Installation } from '../Installation';
import type { Call } from './Call';
import type { OperationFacts } from './OperationFacts';

/** A resource with one item for each row of its source. */
export interface ListOperation extends OperationFacts {
  readonly kind: 'list';
}

/** A resource that is one object, made by its own function. */
export interface ObjectOperation<F extends Fields = Fields> extends OperationFacts {
  readonly kind: 'object';
  readonly fields: F;
  readonly load: (call: Call, installation: Installation) => Promise<ObjectOf<F>>;
  /**
   * All that the object depends on besides the moment, as a text of few different values. Requests for which it is equal
   * share one load if they arrive together, and only one is under way at a time. Without it each request has its own.
   */
  readonly alike?: (call: Call) => string;
}

export type Operation = ListOperation | ObjectOperation;

/** Declares a list. */
export function listOperation<const T extends Omit<ListOperation, 'kind'>>(
  facts: T,
): T & { readonly kind: 'list' } {
  return { ...facts, kind: 'list' };
}

/** Declares an object. */
export function objectOperation<const F extends Fields>(
  facts: Omit<ObjectOperation<F>, 'kind'>,
): ObjectOperation<F> {
  return { ...facts, kind: 'object' };
}
