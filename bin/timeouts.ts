// Timeouts of the command, in milliseconds.

/** For the database. With startup and shutdown, the command stays below five seconds. */
export const databaseTimeoutMs = 3500;

/** For one query. It ends before the command does, so that the command can report the reason. */
export const queryTimeoutMs = databaseTimeoutMs - 500;

/** For a command that creates a token. It leaves time to find and revoke the token. */
export const creationTimeoutMs = 5 * databaseTimeoutMs;

/** For creating the module's tables. Another process may be creating them, which may take up to a minute. */
export const migrationTimeoutMs = 75_000;

/** For reading all rows of all lists. Each query has the time limit of a request. */
export const checkTimeoutMs = 3_600_000;

/** For loading the panel's configuration. */
export const configTimeoutMs = 20_000;

/** For closing the connection, so that the server does not count it as aborted. The process ends in any case. */
export const closeTimeoutMs = 300;
