import type { TestDatabase } from '../../fixture/databases';
import type { PrivateServer } from '../../servers/PrivateServer';

/** A server of a replication. */
export interface Side {
  readonly server: PrivateServer;
  /** The database as this server has it, over an account with all rights in this database and no others. */
  readonly database: TestDatabase;
  /** Sends a statement as an administrator, and returns what the driver returns. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the rows that it asks for
  admin(sql: string): Promise<any>;
}

/** A primary and a replica that follows it asynchronously. */
export interface Replication {
  readonly primary: Side;
  readonly replica: Side;
  /** From now on the replica applies nothing of what it receives, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}
