import Koa from 'koa';
import { type FullPanel, startFullPanel } from '../../fixture/fullPanel';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { scaled } from '../scale';
import { tryInput } from './corpus';
import {
  answersIn,
  bytesOf,
  exchange,
  liveRequests,
  MARK,
  type RawRequest,
  rawRequests,
} from './rawRequests';
import { printSeed } from './seed';

const CONNECTIONS = scaled({ fast: 200, full: 10_000 });

/** What Node and the module may answer. */
const ALLOWED = [100, 200, 304, 400, 401, 404, 405, 417, 431, 501];

describe('A panel that gets bytes that no client sends', () => {
  let full: FullPanel;
  let port: number;
  let reached = 0;
  const before = Reflect.ownKeys(Object.prototype);

  beforeAll(async () => {
    printSeed();
    const app = new Koa();
    app.silent = true;
    app.use(async (ctx, next) => {
      if (/^\/api\/v1(?:\/|$)/.test(ctx.path)) reached += 1;
      await next();
      if (ctx.path === '/panel') ctx.body = 'the panel';
    });
    full = await startFullPanel('sqlite', app);
    port = Number(new URL(full.panel.url).port);
  });

  const lines = () => full.panel.log.filter(({ message }) => message === 'panel-api request').length;

  async function check(requests: readonly RawRequest[], statuses: Record<string, number>): Promise<void> {
    const received = await exchange(port, bytesOf(requests, full.token));
    const answers = answersIn(received);
    for (const { status, body } of answers) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      expect(ALLOWED).toContain(status);
      if (status !== 200 && body.startsWith('{')) expect(JSON.parse(body)).toMatchObject({ success: false });
    }
    const served = answers.filter(({ status }) => status === 200 || status === 304).length;
    expect(served).toBeLessThanOrEqual(liveRequests(requests));
    expect(received).not.toContain(full.token);
    expect(received.toLowerCase()).not.toContain(MARK);
    await until(() => lines() >= reached);
    expect(lines()).toBe(reached);
    expect(await (await fetch(`${full.panel.url}/panel`)).text()).toBe('the panel');
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  }

  test('answers with fixed words, serves only the live token, and writes one line for each request', async () => {
    const statuses: Record<string, number> = {};
    await tryInput({
      name: 'rawRequests',
      arbitrary: rawRequests,
      check: (requests) => check(requests, statuses),
      numRuns: CONNECTIONS,
    });
    expect(statuses[200]).toBeGreaterThan(0);
    const log = JSON.stringify(full.panel.log);
    expect(log).not.toContain(full.token);
    expect(log.toLowerCase()).not.toContain(MARK);
    figure('raw connections', CONNECTIONS);
    figure('raw connections: statuses', JSON.stringify(statuses));
    figure('raw connections: requests that reached the module', reached);
  });
});
