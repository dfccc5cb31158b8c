import type { Fields, ObjectOf } from '../lib/fields';
import type { ObjectOperation } from '../lib/fields/Operation';
import type { Installation } from '../lib/Installation';
import type { RequestContext } from '../lib/requests/Endpoint';

interface Loading<F extends Fields> {
  readonly load: (context: RequestContext, mount: Installation) => Promise<ObjectOf<F>>;
  readonly alike?: (context: RequestContext) => string;
}

/** Declares an object. Its type names no part of the mount, because the types of the client are derived from it. */
export function objectOperation<const N extends string, const S extends string, const F extends Fields>(
  declaration: Omit<ObjectOperation<F>, 'kind' | 'name' | 'scope' | keyof Loading<F>> &
    Loading<F> & { readonly name: N; readonly scope: S },
): ObjectOperation<F> & { readonly name: N; readonly scope: S } {
  return { ...declaration, kind: 'object' };
}
