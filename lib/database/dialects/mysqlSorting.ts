import type { Knex } from 'knex';
import type { Column } from '../columns';
import type { Run } from '../Statement';
import { textLiteral, withVariables } from './mysqlStatements';

/** What the server says about a column of texts. */
type TextFacts = Pick<Column, 'collation' | 'isSortedApart'>;

/**
 * Asks for facts about the columns of texts of a query, in one statement: for the collation, because the driver reports
 * that of the connection, and how texts of it are sorted. Without an index MariaDB sorts by the weights of a text, which
 * it cuts off at `max_sort_length`, or fills up with others than those that it compares. MySQL reads that question as a
 * comment.
 */
export async function textFacts(
  names: readonly string[],
  { run, knex, query }: { readonly run: Run; readonly knex: Knex; readonly query: () => Knex.QueryBuilder },
): Promise<readonly TextFacts[]> {
  const found = query().select(names.map((name, index) => knex.raw(`?? AS text${index}`, [name])));
  const collations = names.map((_, index) => `COLLATION(MAX(text${index})) AS collation${index}`);
  const aparts = names.map((_, index) => `${apartSql(`key${index}`)} AS apart${index}`);
  // Named as no table of a panel's is. A statement that begins with WITH could not carry all limits.
  const sql = `SELECT facts.* FROM (WITH RECURSIVE panel_api_found AS ?
    /*M!100500 , panel_api_texts AS (${textsSql(names.length)}) */
    SELECT ${collations} /*M!100500 , ${aparts} */
    FROM panel_api_found /*M!100500 RIGHT JOIN panel_api_texts ON TRUE */) AS facts`;
  // In a strict mode, a letter that the character set of a column lacks would make the statement fail.
  const lenient = withVariables("sql_mode = ''", sql);
  const [[row = {}] = []] = await run<Record<string, unknown>[][]>('columns', () =>
    knex.raw(lenient, [found.limit(0)]),
  );
  return names.map((_, index) => {
    const collation = row[`collation${index}`];
    const isApart = row[`apart${index}`] ?? APART_IN_MYSQL.test(String(collation));
    return {
      ...(typeof collation === 'string' && { collation }),
      ...(Number(isApart) === 1 && { isSortedApart: true as const }),
    };
  });
}

/** The collations of MySQL 9.7 that are sorted otherwise than they are compared. All others are sorted as they are. */
const APART_IN_MYSQL =
  /^(?:big5_chinese_ci|cp1250_czech_cs|gb18030_chinese_ci|latin7_(?:estonian_cs|general_c[is])|tis620_thai_ci)$/;

/** Of each collation that is sorted otherwise than it is compared, two or more of these texts are. */
const TEXTS = ['q', 'Q', 'q\u0301', 'q\0', 'q ', 'q-', 'q\u0653', '漢', '①'];
// Rows that are equal to the sort stay in this order, which is wrong for any two that differ when they are compared.
const ROWS = [...TEXTS, ...TEXTS.slice(0, -1).reverse()].map(textLiteral);

/**
 * SQL of the texts as values of each column, in numbered rows, and three times as many rows without a text. The first
 * row of a recursive query gives all others its types and collations, and here a length at which weights are cut off.
 */
function textsSql(columns: number): string {
  const keys = Array.from(
    { length: columns },
    (_, index) => `CONCAT(text${index}, SPACE(99)) AS key${index}`,
  );
  const texts = keys.map(() => `ELT(n + 1, ${ROWS})`);
  return `SELECT 0 AS n, ${keys} FROM (SELECT 1) AS one LEFT JOIN panel_api_found ON TRUE
    UNION ALL SELECT n + 1, ${texts} FROM panel_api_texts WHERE n < ${4 * ROWS.length}`;
}

/**
 * SQL that is 1 if the texts are sorted otherwise than they are compared. GROUP_CONCAT compares. With a LIMIT below a
 * third of the rows, as most pages have, the server sorts by weights.
 */
function apartSql(key: string): string {
  const order = `ORDER BY ${key} DESC, n`;
  return `GROUP_CONCAT(IF(${key} IS NULL, NULL, n) ${order}) <> (SELECT GROUP_CONCAT(n)
      FROM (SELECT n FROM panel_api_texts ${order} LIMIT ${ROWS.length}) AS sorted)`;
}
