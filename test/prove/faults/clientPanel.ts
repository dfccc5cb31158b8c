import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type BothProtocols, startBothProtocols } from '../../fixture/bothProtocols';
import { type Engine, freshDatabase } from '../../fixture/databases';
import { expectIdle } from '../../fixture/expectIdle';
import { keep } from '../../fixture/kept';
import { AUTHOR, PATIENT_MS } from '../../fixture/panel';
import { createLongTable } from '../../fixture/streams/longTable';
import { until } from '../../fixture/until';
import '../../fixture/tryAgain';

/** An answer that fits into the kernel's buffers. */
export const SHORT = '/api/v1/domains.php?limit=20';
/** An answer that does not: the server waits for its client to read. */
export const LIST = '/api/v1/domains.php';
const OWN = '/own-page';
const HEALED_MS = 2000;
/** Every request has its deadline before that. */
const LOGGED_MS = PATIENT_MS + 10_000;

/** A panel that bad clients use. */
export interface ClientPanel extends BothProtocols {
  readonly token: string;
  /** The text of a request over HTTP/1.1. By default it closes the connection after the answer. */
  request(path: string, connection?: 'close' | 'keep-alive'): string;
  open(): Socket;
  /** Sends a text and returns all that the panel answers. */
  answered(text: string, send?: (socket: Socket) => unknown): Promise<string>;
  /** Returns the answer for the panel's own page. */
  ownPage(): Promise<string>;
  /** How many requests ended in each way since this number of them: their status, or `aborted`. */
  outcomes(since: number): Promise<Readonly<Record<string, number>>>;
  /** Expects that the panel serves soon, that each request was logged once, and that no connection is kept. */
  expectSound(): Promise<void>;
}

export async function startClientPanel(engine: Engine): Promise<ClientPanel> {
  const database = await freshDatabase(engine);
  await createLongTable(database.knex);
  const panel = await startBothProtocols(
    { db: database.knex, httpsRequired: false, rateLimit: { requests: 1_000_000 } },
    (ctx, next) => {
      if (ctx.path !== OWN) return next();
      ctx.body = 'own';
    },
  );
  const { token } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);

  const request: ClientPanel['request'] = (path, connection = 'close') =>
    `GET ${path} HTTP/1.1\r\nHost: panel\r\nConnection: ${connection}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  const open = () => connect(panel.http1Port, '127.0.0.1').on('error', () => undefined);

  const answered: ClientPanel['answered'] = async (text, send = (socket) => socket.write(text)) => {
    const socket = open().setEncoding('utf8');
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk;
    });
    send(socket);
    await once(socket, 'close');
    keep('answers', () => `${read}\n`);
    return read;
  };

  const outcomes: ClientPanel['outcomes'] = async (since) => {
    await until(() => panel.requestLines().length >= panel.reached(), LOGGED_MS);
    const counts: Record<string, number> = {};
    for (const { fields } of panel.requestLines().slice(since)) {
      const outcome = fields.aborted ? 'aborted' : String(fields.status);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };

  return {
    ...panel,
    token,
    request,
    open,
    answered,
    ownPage: () => answered(`GET ${OWN} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n`),
    outcomes,
    async expectSound() {
      const started = performance.now();
      expect((await answered(request(SHORT))).slice(0, 12)).toBe('HTTP/1.1 200');
      expect(performance.now() - started).toBeLessThan(HEALED_MS);
      const ended = Object.keys(await outcomes(0));
      expect(ended.filter((outcome) => outcome !== '200' && outcome !== 'aborted')).toEqual([]);
      const ids = panel.requestLines().map(({ fields }) => fields.request_id);
      expect([ids.length, new Set(ids).size]).toEqual([panel.reached(), panel.reached()]);
      await expectIdle(database);
    },
  };
}
