const BEGINNING = '/*M!100500 SET STATEMENT ';

/** Sets variables of MariaDB for one statement. MySQL reads them as a comment. */
export function withVariables(variables: string, sql: string): string {
  return sql.startsWith(BEGINNING)
    ? `${BEGINNING}${variables}, ${sql.slice(BEGINNING.length)}`
    : `${BEGINNING}${variables} FOR */ ${sql}`;
}

/** SQL of a text that is right in every `sql_mode`. With an introducer it is compared by the collation of the column, like any literal. */
export function textLiteral(text: string): string {
  return `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`;
}

/** A session may answer every SELECT with fewer rows than there are. */
const ALL_ROWS = `sql_select_limit = ${2n ** 64n - 1n}`;

/**
 * Limits the time of a statement, and not its rows. MariaDB ends whatever it does or waits for. MySQL ends a SELECT and a
 * wait for a locked table; there another statement may wait for a locked row for longer.
 */
export function limit(sql: string, limitMs: number, connection: unknown): string {
  // It waits for nothing, and it sets variables itself.
  if (sql.startsWith('SET ')) return sql;
  const limited = isMariadb(connection as MysqlConnection) ? sql : withHints(sql, limitMs);
  return withVariables(`max_statement_time = ${limitMs / 1000}, ${ALL_ROWS}`, limited);
}

// For MySQL. A server behind a proxy may be MariaDB nevertheless: until version 11 it reads hints as a comment, and later it
// warns of those that it does not know.
function withHints(sql: string, limitMs: number): string {
  const { verb, end } = verbOf(sql);
  if (!/^(?:select|insert|update|delete)$/.test(verb)) return sql;
  const time = verb === 'select' ? `MAX_EXECUTION_TIME(${limitMs}) SET_VAR(${ALL_ROWS}) ` : '';
  const hints = `/*+ ${time}SET_VAR(lock_wait_timeout = ${Math.ceil(limitMs / 1000)}) */`;
  return `${sql.slice(0, end)} ${hints}${sql.slice(end)}`;
}

/** Whether MySQL too has ended a statement at its limit: one that only reads, or that waits for no row and no table. */
export function isBoundedInMysql(sql: string): boolean {
  return /^(?:select|set|start|commit|rollback)$/.test(verbOf(sql).verb) && !/ for update$/i.test(sql);
}

/** Names, texts, parentheses and the verbs that may follow the queries of a WITH. */
const PARTS = /`[^`]*`|'[^']*'|"[^"]*"|[()]|\b(?:select|update|delete)\b/gi;

/** The verb of a statement, in lower case, and the position behind it. After WITH, it follows the queries in parentheses. */
function verbOf(sql: string): { readonly verb: string; readonly end: number } {
  const [beginning = '', first = ''] = /^(?:\/\*M!.*?\*\/ )?\(?(\w+)\b/.exec(sql) ?? [];
  const verb = first.toLowerCase();
  // Whether a backslash ends a text depends on the session.
  if (verb !== 'with' || sql.includes('\\')) return { verb, end: beginning.length };
  let depth = 0;
  for (const { 0: part, index } of sql.matchAll(PARTS)) {
    if (depth === 0 && /^\w/.test(part)) return { verb: part.toLowerCase(), end: index + part.length };
    depth += part === '(' ? 1 : part === ')' ? -1 : 0;
  }
  return { verb, end: beginning.length };
}

/** The parts of the driver's connection that are used here. */
export interface MysqlConnection {
  readonly _handshakePacket?: { readonly serverVersion?: string };
  destroy(): void;
}

/** Whether the server ends every statement at its limit, as MariaDB does. */
export function isMariadb({ _handshakePacket }: MysqlConnection): boolean {
  return /mariadb/i.test(_handshakePacket?.serverVersion ?? '');
}
