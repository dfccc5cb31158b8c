import { connect, type NetConnectOpts, type Socket } from 'node:net';

/** The parts of the driver's client that are used here. Without `connection` it is the native client. */
export interface PgClient {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection?: { readonly stream: Socket };
  /** The pool closes a connection with this mark. */
  __knex__disposed?: unknown;
}

/** How long a request may take, in milliseconds. */
const PATIENCE_MS = 1000;
/** The code of the request in the protocol. */
const CANCEL_REQUEST = 80877102;

/**
 * Asks the server to end the client's statement, by the CancelRequest of PostgreSQL's protocol. It needs a connection of
 * its own, which counts against no limit of connections, and works through poolers. Returns whether the server has
 * taken it: otherwise it may still come, and end a later statement.
 */
export function sendCancelRequest(client: PgClient): Promise<boolean> {
  return new Promise((resolve) => {
    const request = Buffer.alloc(16);
    request.writeInt32BE(request.length, 0);
    request.writeInt32BE(CANCEL_REQUEST, 4);
    request.writeInt32BE(client.processID, 8);
    request.writeInt32BE(client.secretKey, 12);
    const socket = connect(addressOf(client, client.connection?.stream));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    // The server closes the connection when it has taken the request.
    socket.on('end', () => resolve(true)).on('error', () => undefined);
    socket.on('close', () => resolve(false));
    // A pooler drops the request of a client that has closed its half.
    socket.unref().resume().write(request);
  });
}

// The server that the client is connected to: its name may have other addresses.
function addressOf({ host, port }: PgClient, stream: Socket | undefined): NetConnectOpts {
  return stream?.remoteAddress
    ? { host: stream.remoteAddress, port: stream.remotePort ?? port }
    : { path: `${host}/.s.PGSQL.${port}` };
}
