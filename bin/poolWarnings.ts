import type { Knex } from 'knex';

/** How soon the API should answer after a network outage, in milliseconds. */
const PROMISED_MS = 2000;

/** The drivers' timeouts, if the panel sets none. */
const DRIVER_LIMITS_MS = { mysql2: 10_000, pg: Infinity } as const;

/** Warns if the settings of the panel's pool delay answers after a network outage. */
export function poolWarnings({ client }: Knex): readonly string[] {
  if (!(client.driverName in DRIVER_LIMITS_MS)) return [];
  const driver = client.driverName as keyof typeof DRIVER_LIMITS_MS;
  // If the settings are a function, it is not called for this check.
  const settings = client.connectionSettings ?? {};
  const set = driver === 'pg' ? settings.connectionTimeoutMillis : settings.connectTimeout;
  const limit = Math.min(
    client.pool?.createTimeoutMillis ?? Infinity,
    Number(set) || DRIVER_LIMITS_MS[driver],
  );
  if (limit <= PROMISED_MS) return [];
  return [
    `The database handle waits up to ${limit / 1000} s for a new connection. After a network failure the API may need that long to answer again, instead of ${PROMISED_MS / 1000} s. Set pool.createTimeoutMillis to at most ${PROMISED_MS}.`,
  ];
}
