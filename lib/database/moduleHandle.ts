import type { Knex } from 'knex';
import type { Dialect } from './Dialect';

/** A statement that knex is about to hand to the driver. */
interface Compiled {
  bindings?: readonly unknown[] | undefined;
  options?: object;
}

/**
 * The panel's handle for the module's own statements. It shares the panel's pool and events, but none of the settings by
 * which the panel has names rewritten and values converted, and every text is bound as the dialect says.
 */
export function moduleHandle(panel: Knex, dialect: Dialect): Knex {
  return derived(panel, dialect, { wrapIdentifier: undefined }, ({ bindings = [] }) =>
    bindings.map(dialect.bind),
  );
}

/** The same for queries that the panel writes: its names are rewritten and its texts bound as it is used to. */
export function panelQueryHandle(panel: Knex, dialect: Dialect): Knex {
  return derived(panel, dialect, {}, ({ bindings }) => bindings);
}

function derived(
  panel: Knex,
  dialect: Dialect,
  settings: object,
  bind: (statement: Compiled) => Compiled['bindings'],
): Knex {
  const { client, context } = panel as Knex & { context: object };
  const own = Object.assign(Object.create(client), {
    // Nothing may copy the bound values into an error's message.
    config: { ...client.config, postProcessResponse: undefined, compileSqlOnError: false, ...settings },
    _query(connection: unknown, statement: Compiled) {
      statement.bindings = bind(statement);
      statement.options = { ...dialect.exactValues(connection), ...statement.options };
      return client._query(connection, statement);
    },
  });
  // A handle of knex is a function that finds its client in its context. knex's own way to copy one copies the pool too.
  const ownContext = Object.assign(Object.create(context), { client: own });
  return new Proxy(panel, {
    get: (target, key, self) => (key === 'context' ? ownContext : Reflect.get(target, key, self)),
    apply: (_target, _self, [table, options]) => own.queryBuilder().table(table, options),
  });
}
