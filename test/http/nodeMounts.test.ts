import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import {
  createAccountSection,
  createApiSection,
  createMcp,
  createMetrics,
  createPanelApi,
} from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { PATIENT_MS } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';

type Next = (error?: unknown) => void;
type NodeMiddleware = (request: http.IncomingMessage, response: http.ServerResponse, next?: Next) => unknown;

const SENTENCE = 'panel-api routes() is for Koa; here use handler()';

describe.each(['createPanelApi', 'createMetrics', 'createMcp', 'createApiSection', 'createAccountSection'])(
  'The mount of %s',
  (name) => {
    async function mount() {
      const { knex } = await freshDatabase('sqlite');
      const { log, logger } = recordingLogger();
      const api = createPanelApi({ db: knex, logger, enabled: true, deadlineMs: PATIENT_MS });
      const authorize = () => null;
      const mounts = {
        createPanelApi: () => api,
        createMetrics: () => createMetrics({ api }),
        createMcp: () => createMcp({ api }),
        createApiSection: () => createApiSection({ api, authorize, prefix: '/admin/api' }),
        createAccountSection: () => createAccountSection({ api, account: () => null, prefix: '/my/api' }),
      };
      return { log, mounted: mounts[name as keyof typeof mounts]() };
    }

    const askTwice = async (listener: http.RequestListener) => {
      const server = http.createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      closeAtEnd(() => {
        server.close().closeAllConnections();
      });
      const ask = async () => {
        const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/own`);
        return response.text();
      };
      return [await ask(), await ask()];
    };

    test.each(['routes', 'handler'] as const)(
      'passes the framework the error if it is given %s without brackets',
      async (method) => {
        const { mounted } = await mount();
        const uncalled = mounted[method] as unknown as NodeMiddleware;
        const answers = await askTwice((request, response) => {
          uncalled(request, response, (error) => response.end(String(error)));
        });
        expect(answers).toEqual([`Error: ${SENTENCE}`, `Error: ${SENTENCE}`]);
      },
    );

    test.each(['routes', 'middleware'] as const)(
      'passes the framework an error that names handler() instead of %s(), and logs it once',
      async (method) => {
        const { log, mounted } = await mount();
        const middleware = mounted[method]() as unknown as NodeMiddleware;
        const answers = await askTwice((request, response) => {
          middleware(request, response, (error) => response.end(String(error)));
        });
        expect(answers).toEqual([`Error: ${SENTENCE}`, `Error: ${SENTENCE}`]);
        expect(log).toEqual([{ level: 'warn', message: SENTENCE, fields: {} }]);
      },
    );

    test('throws the error if there is no next', async () => {
      const { mounted } = await mount();
      const middleware = mounted.routes() as unknown as NodeMiddleware;
      const answers = await askTwice((request, response) => {
        try {
          middleware(request, response);
        } catch (error) {
          response.end(String(error));
        }
      });
      expect(answers).toEqual([`Error: ${SENTENCE}`, `Error: ${SENTENCE}`]);
    });

    test('throws an error that names routes() if Koa calls its handler(), and logs it once', async () => {
      const { log, mounted } = await mount();
      const sentence = 'panel-api handler() is not for Koa; here use routes()';
      const app = new Koa().use(async (ctx, next) => {
        await next().catch((error) => {
          ctx.body = String(error);
        });
      });
      app.use(mounted.handler() as unknown as Koa.Middleware);
      expect(await askTwice(app.callback())).toEqual([`Error: ${sentence}`, `Error: ${sentence}`]);
      expect(log).toEqual([{ level: 'warn', message: sentence, fields: {} }]);
    });

    test('leaves other paths to a panel of Koa', async () => {
      const { log, mounted } = await mount();
      const app = new Koa().use(mounted.routes()).use((ctx) => {
        ctx.body = 'panel';
      });
      expect(await askTwice(app.callback())).toEqual(['panel', 'panel']);
      expect(log).toEqual([]);
    });
  },
);
