import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, type Gzip } from 'node:zlib';
import Koa from 'koa';
import { createPanelApi } from '../../../index';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../../fixture/panel';
import { recordingLogger } from '../../fixture/recordingLogger';
import { DOMAINS } from '../../fixture/streams/longPanel';
import { createLongTable, LONG } from '../../fixture/streams/longTable';
import { until } from '../../fixture/until';

/** Compresses each response like Express' compression: what listens for `drain` of the response, it keeps. */
function compressing(listener: RequestListener, compressed: (gzip: Gzip) => void): RequestListener {
  return (request, response) => {
    const gzip = createGzip();
    const { write, end, on } = response;
    response.setHeader('Content-Encoding', 'gzip');
    response.write = (chunk: string | Buffer) => gzip.write(chunk);
    response.end = ((chunk?: string | Buffer) => {
      if (!response.headersSent) response.removeHeader('Content-Length');
      gzip.end(chunk);
      return response;
    }) as never;
    response.on = ((event: string, listen: () => void) => {
      if (event === 'drain') gzip.on('drain', listen);
      else on.call(response, event, listen);
      return response;
    }) as never;
    gzip.on('data', (chunk) => {
      if (!write.call(response, chunk, 'utf8')) gzip.pause();
    });
    gzip.on('end', () => (end as () => void).call(response));
    on.call(response, 'drain', () => gzip.resume());
    compressed(gzip);
    listener(request, response);
  };
}

describe("Below Express' compression", () => {
  let url: string;
  let token: string;
  let gzip: Gzip;
  const { log, logger } = recordingLogger();

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createLongTable(knex, LONG);
    const api = createPanelApi({ db: knex, logger, enabled: true, deadlineMs: PATIENT_MS });
    const app = new Koa().use(api.routes());
    const server = createServer(
      compressing(app.callback(), (created) => {
        gzip = created;
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closeAtEnd(() => new Promise((resolve) => server.close(resolve)));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ({ token } = await api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR));
  });

  test.each([
    ['long list', DOMAINS, LONG],
    ['short list', `${DOMAINS}?limit=20`, 20],
  ])('a %s is whole, with all its bytes in the log', async (_length, path, rows) => {
    log.length = 0;
    const response = await fetch(url + path, {
      headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
    });
    const text = await response.text();
    expect(JSON.parse(text).data.items).toHaveLength(rows);
    await until(() => log.length > 0);
    expect(log[0]?.fields).toMatchObject({ status: 200, bytes: Buffer.byteLength(text) });
  });

  test('a long list listens once for room, however long it is', async () => {
    const response = await fetch(url + DOMAINS, {
      headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
    });
    await response.text();
    expect(gzip.listenerCount('drain')).toBe(1);
  });
});
