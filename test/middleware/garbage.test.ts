import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Koa, { type Context } from 'koa';
import { RequestsUnderWay } from '../../lib/requests/ApiRequest';
import { handleErrors } from '../../middleware/contextErrors';
import { openRequest } from '../../middleware/openRequest';
import { protectAnswers } from '../../middleware/protectAnswers';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const CONTEXTS = 500;
const app = new Koa();

/** How many bytes of a context are left after minor collections when this was done with it. */
async function keptBy(work: (ctx: Context) => unknown): Promise<number> {
  const socket = new Socket();
  const make = async () => {
    for (let made = 0; made < CONTEXTS; made += 1) {
      const request = new IncomingMessage(socket);
      await work(app.createContext(request, new ServerResponse(request)));
    }
  };
  await make();
  collect();
  const before = process.memoryUsage().heapUsed;
  await make();
  for (let times = 0; times < 4; times += 1) collect({ type: 'minor' });
  return (process.memoryUsage().heapUsed - before) / CONTEXTS;
}

const open = openRequest(null, new RequestsUnderWay([], fail), () => new Promise(() => undefined), 'panel');
const protect = protectAnswers();

test.each<[does: string, work: (ctx: Context) => unknown]>([
  ['nothing', () => undefined],
  ['opens a request', (ctx) => open(ctx, async () => undefined)],
  ['protects an answer', protect],
  ['handles errors', (ctx) => handleErrors(ctx, fail)],
])('a context is gone before a full collection, if the module %s', async (_does, work) => {
  expect(await keptBy(work)).toBeLessThan(1500);
});

function fail(): never {
  throw new Error('Nothing fails here.');
}
