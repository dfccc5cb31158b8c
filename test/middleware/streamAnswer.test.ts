import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { ApiRequest } from '../../lib/requests/ApiRequest';
import { streamAnswer } from '../../middleware/streamAnswer';
import '../fixture/tryAgain';

// On a busy machine the next part of the stream may take many times its one millisecond.
const PATIENCE_MS = 100;

test('A streamed answer that is still being read after sixty times the patience is broken off', async () => {
  let failed: (error: unknown) => void;
  const failure = new Promise<unknown>((resolve) => {
    failed = resolve;
  });
  const app = new Koa();
  app.use(async (ctx) => {
    const answered = new ApiRequest({} as ApiRequest['arrival'], null, () => undefined);
    await streamAnswer(ctx, answered, { head: '', stream: endless(), tail: '' }, PATIENCE_MS);
    failed(answered.broken);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  const begunAt = performance.now();
  response.resume();
  expect(await failure).toMatchObject({ name: 'ClientTooSlow' });
  expect(performance.now() - begunAt).toBeGreaterThan(PATIENCE_MS * 50);
  server.close();
});

async function* endless(): AsyncGenerator<string, void, undefined> {
  for (;;) {
    await sleep(1);
    yield 'x'.repeat(1000);
  }
}
