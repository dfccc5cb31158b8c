import { startProxy } from '../../fixture/faults/startProxy';

export interface MovableAddress {
  readonly port: number;
  /** Leads to another port from now on, and closes every open connection. */
  moveTo(port: number): void;
}

/** An address that leads to one server, and later to another, like that of a balancer or of a failover. */
export async function movableAddress(port: number): Promise<MovableAddress> {
  let target = port;
  const proxy = await startProxy(
    () => target,
    (client, upstream) => {
      client.pipe(upstream);
      upstream.pipe(client);
    },
  );
  return {
    port: proxy.port,
    moveTo(next) {
      target = next;
      proxy.closeConnections();
    },
  };
}
