/** How long the command waits for the database; with its own start and end it stays below five seconds. */
export const patienceMs = 3500;

/** How long one query of the command may take: it ends before the command does, and so can say its reason. */
export const queryPatienceMs = patienceMs - 500;

/** How long a command may take that creates a token: time enough to look for a token and to revoke it again. */
export const creationPatienceMs = 5 * patienceMs;

/** How long it waits for the module's tables: another process may be making them, and waits a minute itself. */
export const migrationPatienceMs = 75_000;

/** How long a look at all rows of all lists may take; each query by itself has the time of a request. */
export const checkPatienceMs = 600_000;

/** How long a panel's configuration may take to load. */
export const configPatienceMs = 20_000;
