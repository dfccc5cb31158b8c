import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeAtEnd } from '../../fixture/closeAtEnd';

export interface MovableAddress {
  readonly port: number;
  /** Leads to another port from now on, and closes every open connection. */
  moveTo(port: number): void;
}

/** An address that leads to one server, and later to another, like that of a balancer or of a failover. */
export async function movableAddress(port: number): Promise<MovableAddress> {
  let target = port;
  const open = new Set<Socket>();
  const close = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          other.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(() => {
    server.close();
    close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(next) {
      target = next;
      close();
    },
  };
}
