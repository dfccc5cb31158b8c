import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { knex as connect } from 'knex';
import Koa from 'koa';
import { createPanelApi } from '../../index';

const silent = () => undefined;

/** Answers one request and closes what it opened itself, without a word to the module. */
async function main(): Promise<void> {
  const db = connect(JSON.parse(process.env.HOST_SETTINGS ?? '').knex);
  const api = createPanelApi({ db, enabled: true, logger: { info: silent, warn: silent, error: silent } });
  const { token } = await api.tokens.create(
    { name: 'test', scopes: ['*'] },
    { actor: 'host', origin: 'panel' },
  );
  const server = new Koa().use(api.routes()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/me.php`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await answer.text();
  if (answer.status !== 200) process.exitCode = 1;
  server.closeAllConnections();
  server.close();
  await db.destroy();
}

void main();
