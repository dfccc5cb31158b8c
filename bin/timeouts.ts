// How long the command waits, in milliseconds.

/** For the database; with its own start and end the command stays below five seconds. */
export const databaseTimeoutMs = 3500;

/** For one query: it ends before the command does, which then can say the reason. */
export const queryTimeoutMs = databaseTimeoutMs - 500;

/** For a command that creates a token: time enough to look for the token and to revoke it again. */
export const creationTimeoutMs = 5 * databaseTimeoutMs;

/** For the module's tables: another process may be creating them, and waits for a minute itself. */
export const migrationTimeoutMs = 75_000;

/** For reading the first rows of all lists; each query by itself has the time of a request. */
export const checkTimeoutMs = 600_000;

/** For loading the panel's configuration. */
export const configTimeoutMs = 20_000;

/** For closing the connection, so that the server counts no aborted one. The process ends in any case. */
export const closeTimeoutMs = 300;
