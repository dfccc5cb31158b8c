import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPanelApi, type PanelApiOptions } from '../../index';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { recordingLogger } from '../fixture/recordingLogger';

/** What stands between the clients and the API, and may change its answers. */
type Between = (response: http.ServerResponse) => unknown;

/** It answers itself, or never. */
const ANSWERED = 'answered';

describe('The check own_address of release-audit.php', () => {
  /** Starts a panel behind this change, and returns the result of the check and the statuses in the log. */
  async function audit(between: Between, options: Partial<PanelApiOptions> = {}) {
    const { knex } = await freshDatabase('sqlite');
    const { logger, log } = recordingLogger();
    let listener: http.RequestListener = () => undefined;
    const server = http.createServer((request, response) => listener(request, response));
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
    );
    closeAtEnd(async () => {
      server.close().closeAllConnections();
    });
    const url = `http://127.0.0.1:${port}`;
    const api = createPanelApi({ db: knex, logger, enabled: true, apiUrl: url, ...options });
    const handler = api.handler();
    listener = (request, response) => {
      // The audit itself arrives as it was sent.
      const isAudit = request.headers.authorization !== undefined;
      if (isAudit || between(response) !== ANSWERED) handler(request, response);
    };
    const { token } = await api.tokens.create({ name: 'audit', scopes: ['platform.read'] }, AUTHOR);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/v1/release-audit.php`, { headers });
    const { checks } = (JSON.parse(await answer.text()) as { data: { checks: { id: string }[] } }).data;
    return { check: checks.find(({ id }) => id === 'own_address'), log };
  }

  const replacing = (name: string, value: string | null) => (response: http.ServerResponse) => {
    const writeHead = response.writeHead.bind(response);
    response.writeHead = ((status: number) => {
      if (value === null) response.removeHeader(name);
      else response.setHeader(name, value);
      return writeHead(status);
    }) as never;
  };

  test('passes if the answers arrive as they were sent, and leaves one line in the log', async () => {
    const { check, log } = await audit(() => undefined);
    expect(check).toMatchObject({ status: 'pass', detail: null });
    const refused = log.filter(({ fields }) => fields.error_code === 'token_missing');
    expect(refused.map(({ fields }) => fields.route)).toEqual(['/api/v1/me.php']);
  });

  test.each<readonly [string, Between, string]>([
    ['replaces Cache-Control', replacing('Cache-Control', 'public, max-age=60'), 'API sent: Cache-Control.'],
    ['adds to Cache-Control', replacing('Cache-Control', 'max-age=60, no-store'), 'API sent: Cache-Control.'],
    ['removes nosniff', replacing('X-Content-Type-Options', null), 'API sent: X-Content-Type-Options.'],
    ['removes the id of the request', replacing('X-Request-Id', null), 'API sent: X-Request-Id.'],
    ['answers itself', (response) => response.writeHead(302).end() && ANSWERED, 'is answered with 302.'],
    [
      'closes the connection',
      (response) => response.destroy() && ANSWERED,
      'gets no answer (UND_ERR_SOCKET).',
    ],
  ])('warns if something in between %s', async (_name, between, detail) => {
    const { check } = await audit(between);
    expect(check).toMatchObject({ status: 'warn', detail: expect.stringContaining(detail) });
  });

  test('passes if a proxy names the requests itself', async () => {
    const { check } = await audit(replacing('X-Request-Id', 'of-the-proxy'));
    expect(check).toMatchObject({ status: 'pass' });
  });

  test('warns before the limit of a check if the address does not answer', async () => {
    const { check } = await audit(() => ANSWERED, { deadlineMs: 3000 });
    expect(check).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('gets no answer (TimeoutError).'),
    });
  });

  test('is left out without the option', async () => {
    expect((await audit(() => undefined, { apiUrl: undefined as never })).check).toBeUndefined();
  });
});
