import type { Knex } from 'knex';
import type { TestDatabase } from '../fixture/databases';

const COLUMNS = `SELECT table_name AS t, column_name AS c, data_type AS d, character_maximum_length AS l,
    is_nullable AS n, ordinal_position AS o
  FROM information_schema.columns WHERE table_schema = ? ORDER BY table_name, ordinal_position`;

/** Every table, column and index of a database, in the words of its engine. */
export async function schemaOf({ engine, knex }: TestDatabase): Promise<readonly object[]> {
  switch (engine) {
    case 'mariadb':
      return [
        ...(await rows(knex, COLUMNS, [knex.client.database()])),
        ...(await rows(
          knex,
          `SELECT table_name AS t, index_name AS i, column_name AS c, non_unique AS u FROM information_schema.statistics
            WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index`,
        )),
        ...(await rows(
          knex,
          `SELECT table_name AS t, table_collation AS c FROM information_schema.tables
            WHERE table_schema = DATABASE() ORDER BY table_name`,
        )),
      ];
    case 'postgresql':
      return [
        ...(await rows(knex, COLUMNS, ['public'])),
        ...(await rows(knex, "SELECT indexdef AS i FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")),
        ...(await rows(
          knex,
          "SELECT sequencename AS s FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1",
        )),
      ];
    case 'sqlite':
      return rows(knex, "SELECT name AS n, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY 1");
  }
}

/** The names of all tables. */
export async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const found = (await schemaOf(database)) as Readonly<Record<string, string>>[];
  const names = found.map((row) => row.t ?? (/^CREATE TABLE/i.test(row.sql ?? '') ? row.n : undefined));
  return [...new Set(names.filter((name) => name !== undefined))];
}

async function rows(knex: Knex, sql: string, bindings: string[] = []): Promise<readonly object[]> {
  const result = await knex.raw(sql, bindings);
  const found = Array.isArray(result[0]) ? result[0] : (result.rows ?? result);
  return found.map((row: object) => ({ ...row }));
}
