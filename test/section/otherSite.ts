import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site of somebody else's that shows one page. */
export interface OtherSite {
  readonly url: string;
  close(): Promise<void>;
}

/** Shows the page at that host, `localhost` for another site than that of the panel at 127.0.0.1. */
export async function startOtherSite(host: string, body: string): Promise<OtherSite> {
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Elsewhere</title>${body}`);
    }).listen(0, host, () => resolve(listening));
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
