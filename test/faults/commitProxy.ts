import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What becomes of the next COMMIT: it breaks the connection before or after it was carried out, or is never answered. */
export type Fate = 'not sent' | 'connection lost' | 'no answer';

export interface CommitProxy {
  /** The URL of the database by way of the proxy. */
  readonly url: string;
  /** For the next COMMIT alone. */
  fate: Fate | null;
  /** For how long each message to the database is held back. */
  delayMs: number;
  close(): void;
}

/** Stands between a client and its database, and loses the answer to a COMMIT. */
export async function commitProxy(databaseUrl: string): Promise<CommitProxy> {
  const url = new URL(databaseUrl);
  const target = Number(url.port);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
    client.on('data', (message) => {
      const fate = /COMMIT(?!TED)/.test(message.toString('latin1')) ? proxy.fate : null;
      if (fate !== null) proxy.fate = null;
      if (fate === 'not sent') client.destroy();
      else setTimeout(() => upstream.write(message), proxy.delayMs);
      if (fate !== 'connection lost' && fate !== 'no answer') return;
      upstream.unpipe(client);
      upstream.on('data', () => fate === 'connection lost' && client.destroy()).resume();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  const proxy: CommitProxy = {
    url: url.href,
    fate: null,
    delayMs: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return proxy;
}
