import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  /** From now on the connections that are open stay open, and carry nothing. */
  silence(): void;
  close(): void;
}

/** Stands between a panel and its database, as a firewall does that may forget connections without a word. */
export async function silentProxy(port: number): Promise<SilentProxy> {
  const open = new Set<readonly [Socket, Socket]>();
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    open.add([client, upstream]);
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const [client, upstream] of open) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
      open.clear();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
