import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { describeOneEngine, freshDatabase } from '../fixture/databases';

const HOSTS = ['panel.example', '[::1]', '127.0.0.1'];
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describeOneEngine('The MCP server with host names', (engine) => {
  /** Returns how to send a message with these headers about the host, and get its status and the code of its error. */
  async function start(proxy: boolean, given: { readonly hosts?: readonly string[] }) {
    const { knex: db } = await freshDatabase(engine);
    const { panel } = await startAssistantsPanel({ db }, given, new Koa({ proxy }));
    const head = `Authorization: Bearer ${await panel.token()}\r\nContent-Type: application/json\r\nConnection: close`;
    return async (headers: string, version = '1.1') => {
      const socket = connect(Number(new URL(panel.url).port), '127.0.0.1');
      await once(socket, 'connect');
      const sent = `POST /mcp HTTP/${version}\r\n${headers}${head}\r\nContent-Length: ${PING.length}\r\n\r\n`;
      socket.write(sent + PING);
      const answer = await text(socket);
      return [Number(answer.split(' ')[1]), /"error":{"code":(-\d+)/.exec(answer)?.[1]];
    };
  }

  const SERVED = [200, undefined];
  const REFUSED = [403, '-32600'];

  test('answers under these names, with any port and in any letter case, and under no other name', async () => {
    const send = await start(false, { hosts: HOSTS });
    for (const host of ['panel.example', 'PANEL.example:8443', '[::1]:80', '[0:0::1]', '127.0.0.1'])
      expect([host, await send(`Host: ${host}\r\n`)]).toEqual([host, SERVED]);
    const others = ['evil.example', 'panel.example.evil.example', 'x.panel.example', '[::2]', '[', '', 'a@b'];
    for (const host of others) expect([host, await send(`Host: ${host}\r\n`)]).toEqual([host, REFUSED]);
    expect(await send('', '1.0')).toEqual(REFUSED);
    expect(await send('Host: evil.example\r\nX-Forwarded-Host: panel.example\r\n')).toEqual(REFUSED);
  });

  test('takes the name from a proxy that Koa trusts', async () => {
    const send = await start(true, { hosts: HOSTS });
    expect(await send('Host: backend\r\nX-Forwarded-Host: panel.example\r\n')).toEqual(SERVED);
    expect(await send('Host: panel.example\r\nX-Forwarded-Host: evil.example\r\n')).toEqual(REFUSED);
  });

  test('answers under every name without the option', async () => {
    expect(await (await start(false, {}))('Host: evil.example\r\n')).toEqual(SERVED);
  });
});
