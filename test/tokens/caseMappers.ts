import type { Knex } from 'knex';

type Rename = (name: string) => string;

const snakeCase: Rename = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase: Rename = (name) => name.replace(/_+([^_])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Settings of a knex handle that speaks snake case with the database and camel case with the panel, as objection's
 * `knexSnakeCaseMappers` does: they rename rows, but not those inside the result of a raw query.
 */
export const caseMappers: Pick<Knex.Config, 'wrapIdentifier' | 'postProcessResponse'> = {
  wrapIdentifier: (name, wrap) => wrap(snakeCase(name)),
  postProcessResponse: (result) => (Array.isArray(result) ? result.map(renamed) : renamed(result)),
};

function renamed(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value]));
}
