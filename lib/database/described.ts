import type { Knex } from 'knex';
import type { Column } from './columns';
import type { Statement } from './Session';

/** What a knex client does with a statement, as far as a description of its columns needs it done otherwise. */
interface ClientParts {
  _query?(connection: unknown, sent: { sql: string; response?: unknown }): Promise<unknown>;
}

/**
 * Sends the query and returns the columns that `read` finds in the driver's own answer, of which knex keeps the rows
 * alone.
 */
export function described<T>(
  query: Knex.QueryBuilder,
  read: (response: T) => readonly Column[],
  parts: ClientParts = {},
): Statement<readonly Column[]> {
  const { client } = query as Knex.QueryBuilder & { client: object };
  const processResponse = ({ response }: { response: T }) => read(response);
  return Object.assign(query, {
    client: Object.assign(Object.create(client), { processResponse, ...parts }),
  });
}
