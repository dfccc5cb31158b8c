import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAtEnd } from '../../fixture/closeAtEnd';

/**
 * What a network does to the next answer:
 *
 * - `sound`: it passes it on;
 * - `broken`: it breaks the connection behind some bytes;
 * - `cut`: it ends the answer behind some bytes, as if it were whole;
 * - `silent`: it stops behind some bytes;
 * - `limited`: it answers 429, and the next time the panel does;
 * - `page`: it answers 200 with a page of its own;
 * - `down`: it answers 503.
 */
export type Weather = 'sound' | 'broken' | 'cut' | 'silent' | 'limited' | 'page' | 'down';

/** A proxy before a panel, as a network that fails. */
export async function faultyNetwork(panelUrl: string) {
  let weather: Weather = 'sound';
  let left = 0;
  const server = createServer(({ url = '', headers }, response) => {
    const now = weather;
    if (now === 'limited') {
      weather = 'sound';
      response.writeHead(429, { 'Retry-After': '0' }).end();
    } else if (now === 'page') response.end('<html>"items":[{"id":1}]</html>');
    else if (now === 'down') response.writeHead(503).end();
    else {
      const upstream = request(panelUrl + url, { headers }, (incoming) => {
        // Without its length, an answer that was cut looks whole.
        const { 'content-length': _length, ...passed } = incoming.headers;
        response.writeHead(incoming.statusCode ?? 500, passed);
        response.flushHeaders();
        incoming.on('data', (chunk: Buffer) => {
          if (now === 'sound' || left > chunk.length) response.write(chunk);
          else if (left >= 0) {
            response.write(chunk.subarray(0, left));
            if (now === 'cut') response.end();
            else if (now === 'broken') setTimeout(() => response.destroy(), 5);
          }
          left -= chunk.length;
        });
        incoming.on('end', () => {
          if (now === 'sound' || left > 0) response.end();
        });
        incoming.on('error', () => response.destroy());
      });
      upstream.on('error', () => response.destroy());
      upstream.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAtEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become(next: Weather, bytes: number) {
      weather = next;
      left = bytes;
    },
  };
}
