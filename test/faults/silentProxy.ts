import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  /** From now on the connections that are open stay open, and carry nothing. */
  silence(): void;
  /** The same, and connections that are opened from now on until `recover` carry nothing for ever either. */
  swallow(): void;
  /** Connections that are opened from now on are as they should be. */
  recover(): void;
  close(): void;
}

/**
 * Stands between a panel and its database, as a firewall does that may forget connections without a word, and a network
 * on which everything takes `delayMs` on its way.
 */
export async function silentProxy(port: number, delayMs = 0): Promise<SilentProxy> {
  const open = new Set<readonly [Socket, Socket]>();
  const sockets: Socket[] = [];
  let swallows = false;
  const server = createServer((client) => {
    if (swallows) {
      sockets.push(client.resume().on('error', () => undefined));
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    open.add([client, upstream]);
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    if (delayMs === 0) client.pipe(upstream).pipe(client);
    else
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const)
        delay(from, to, delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const silence = () => {
    for (const [client, upstream] of open) {
      client.unpipe(upstream).resume();
      upstream.unpipe(client).resume();
    }
    open.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    silence,
    swallow() {
      swallows = true;
      silence();
    },
    recover() {
      swallows = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function delay(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), delayMs));
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
}
