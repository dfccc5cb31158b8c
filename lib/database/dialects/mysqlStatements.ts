const BEGINNING = '/*M!100500 SET STATEMENT ';

/** Sets variables of MariaDB for one statement. MySQL reads them as a comment. */
export function withVariables(variables: string, sql: string): string {
  return sql.startsWith(BEGINNING)
    ? `${BEGINNING}${variables}, ${sql.slice(BEGINNING.length)}`
    : `${BEGINNING}${variables} FOR */ ${sql}`;
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

const VERB = /^(?:\/\*M!.*?\*\/ )?\(?(select|insert|update|delete)\b/i;

// For MySQL. A server behind a proxy may be MariaDB nevertheless: until version 11 it reads hints as a comment, and later it
// warns of those that it does not know.
function withHints(sql: string, limitMs: number): string {
  const [beginning, verb] = VERB.exec(sql) ?? [];
  if (beginning === undefined) return sql;
  const time = /select/i.test(verb ?? '') ? `MAX_EXECUTION_TIME(${limitMs}) SET_VAR(${ALL_ROWS}) ` : '';
  const hints = `/*+ ${time}SET_VAR(lock_wait_timeout = ${Math.ceil(limitMs / 1000)}) */`;
  return `${beginning} ${hints}${sql.slice(beginning.length)}`;
}

/** Whether MySQL too has ended a statement at its limit: one that only reads, or that waits for no row and no table. */
export function isBoundedInMysql(sql: string): boolean {
  const [, verb = ''] = /^(?:\/\*M!.*?\*\/ )?\(?(\w+)\b/.exec(sql) ?? [];
  return /^(?:select|set|start|commit|rollback)$/i.test(verb) && !/ for update$/i.test(sql);
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
