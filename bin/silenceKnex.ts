import type { Knex } from 'knex';

const ignore = () => undefined;

/** Keeps knex from printing errors: they carry what must not be seen. */
export function silenceKnex(db: Knex): void {
  Object.assign(db.client.logger ?? {}, { debug: ignore, warn: ignore, error: ignore, deprecate: ignore });
}
