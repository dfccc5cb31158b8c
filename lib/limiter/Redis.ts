/** A client of ioredis or of node-redis, connected by the panel; the module never closes it. */
export type Redis = { readonly [name in 'get' | 'eval' | 'multi']: (...args: never[]) => unknown };
