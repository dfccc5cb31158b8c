import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createMcp, createPanelApi } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';
import { until } from '../fixture/until';

/** More than a server reads of a body that it does not want. */
const HUGE = Buffer.alloc(17 * 2 ** 20, ' ');

/** How a panel mounts the MCP server. */
type Mount = (mcp: ReturnType<typeof createMcp>) => http.RequestListener;

test.each<readonly [string, Mount]>([
  ['in Koa', (mcp) => new Koa().use(mcp.routes()).callback()],
  ['in plain Node', (mcp) => mcp.handler() as http.RequestListener],
])('A message of 17 MiB to the MCP server %s is refused, with one line in the log', async (_name, mount) => {
  const { knex } = await freshDatabase('sqlite');
  const { log, logger } = recordingLogger();
  const api = createPanelApi({ db: knex, logger, enabled: true, deadlineMs: PATIENT_MS });
  await api.settings.change({ assistantsEnabled: true }, AUTHOR);
  const { token } = await api.tokens.create({ name: 'assistant', scopes: ['*'] }, AUTHOR);
  const server = http.createServer(mount(createMcp({ api })));
  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
  );
  closeAtEnd(async () => {
    server.close().closeAllConnections();
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = http.request({ port, path: '/mcp', method: 'POST', headers });
  // The server may close the connection before it has read everything.
  request.on('error', () => undefined);
  request.end(HUGE);
  const lines = () => log.filter(({ message }) => message === 'panel-api request');
  await until(async () => lines().length > 0);
  expect(lines().map(({ fields }) => [fields.route, fields.status])).toEqual([['mcp', 413]]);
});
