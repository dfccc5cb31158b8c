import { once } from 'node:events';
import { Agent, type IncomingMessage, METHODS, request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { operations } from '../../../routes';
import { freshDatabase } from '../../fixture/databases';
import { keep } from '../../fixture/kept';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { figure } from '../figure';
import { scaled } from '../scale';
import { tryInput } from './corpus';
import { anyOperation, authorization, path, query } from './hostileInput';
import { printSeed } from './seed';

const HEADERS = scaled({ fast: 300, full: 100_000 });
const QUERIES = scaled({ fast: 200, full: 50_000 });
const PATHS = scaled({ fast: 200, full: 20_000 });

const ME = '/api/v1/me.php';
const agent = new Agent({ keepAlive: true });

/** A piece of input that is long enough not to be in an answer by chance. */
const TELLING = 12;

describe('A panel that gets hostile input', () => {
  let panel: TestPanel;
  let token: string;
  const prototypes = [Object.prototype, Array.prototype, String.prototype];
  const keys = () => prototypes.map((prototype) => Reflect.ownKeys(prototype));
  const before = keys();

  beforeAll(async () => {
    const { knex } = await freshDatabase('sqlite');
    await createFilledTables(knex);
    panel = await startPanel({
      db: knex,
      sources: { settings: { keys: SHOWN_SETTINGS } },
      rateLimit: { requests: 1_000_000 },
    });
    token = await panel.token();
    printSeed();
  });

  afterEach(() => expect(keys()).toEqual(before));

  afterAll(() => agent.destroy());

  /** Sends a request as it is, without the corrections of a client. */
  async function ask(method: string, path: string, authorization?: string) {
    const headers = authorization === undefined ? {} : { authorization };
    const sent = request(panel.url, { method, path, headers, agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    keep('answers', () => `${JSON.stringify(response.rawHeaders)}\n${body}\n`);
    return { status: response.statusCode!, body };
  }

  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

  /** An answer must not contain a long piece of input. Its fixed texts are unlike all input of these tests. */
  const expectUnrepeated = (input: string, answer: string) => {
    for (let end = TELLING; end <= input.length; end += 1) {
      const piece = inJson(input.slice(end - TELLING, end));
      // Millions of calls of `expect` take minutes.
      if (answer.includes(piece)) expect(answer).not.toContain(piece);
    }
  };

  const codeOf = (body: string): unknown => JSON.parse(body).error?.code;

  test('serves a request only with the token itself, and repeats no other', async () => {
    const lines = panel.log.filter(({ message }) => message === 'panel-api request').length;
    const statuses: Record<number, number> = {};
    await tryInput({
      name: 'authorizations',
      arbitrary: authorization(token),
      check: async (given) => {
        const { status, body } = await ask('GET', ME, given);
        statuses[status] = (statuses[status] ?? 0) + 1;
        const isToken = new RegExp(`^bearer +${token}$`, 'i').test(given.trim());
        expect({ given, status }).toEqual({ given, status: isToken && given.includes(token) ? 200 : 401 });
        if (status === 200) return;
        expect(codeOf(body)).toMatch(/^token_/);
        for (const word of given.split(' ')) expectUnrepeated(word, body);
      },
      numRuns: HEADERS,
      token,
    });
    figure('Authorization headers: statuses', JSON.stringify(statuses));
    const asked = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const logged = await panel.requestLines(lines + asked);
    expect(logged).toHaveLength(lines + asked);
    expect(JSON.stringify(logged)).not.toContain(token);
  });

  test('answers any query with a list or with 400 and the name of the parameter', async () => {
    const statuses: Record<number, number> = {};
    await tryInput({
      name: 'queries',
      arbitrary: fc.tuple(anyOperation, query()),
      check: async ([name, parameters]) => {
        const pairs = parameters.map(
          ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
        );
        const {
          status,
          body,
          text: answer,
        } = await panel.get(`/api/v1/${name}.php?${pairs.join('&')}`, token);
        statuses[status] = (statuses[status] ?? 0) + 1;
        expect([200, 400]).toContain(status);
        if (status === 200) return;
        const { parameter, field } = body.error;
        expect(typeof parameter).toBe('string');
        // An unknown name in `fields` is named too.
        const named = [parameter, field ?? parameter].reduce(
          (rest, one) => rest.replaceAll(inJson(one), ''),
          answer,
        );
        for (const [, value] of parameters) expectUnrepeated(value, named);
      },
      numRuns: QUERIES,
    });
    figure('queries: statuses', JSON.stringify(statuses));
    // Otherwise all were refused for the same reason.
    expect(Object.keys(statuses)).toEqual(['200', '400']);
  });

  test('answers any path and method below the prefix with the envelope', async () => {
    const statuses: Record<number, number> = {};
    const known = operations.map(({ name }) => `/${name}.php`);
    const methods = METHODS.filter((method) => method !== 'CONNECT');
    await tryInput({
      name: 'paths',
      arbitrary: fc.tuple(fc.oneof(fc.constant('GET'), fc.constantFrom(...methods)), path(known)),
      check: async ([method, given]) => {
        const { status, body } = await ask(method, `/api/v1${given}`, `Bearer ${token}`);
        statuses[status] = (statuses[status] ?? 0) + 1;
        const isKnown = known.includes(given.replace(/[?#].*$/s, ''));
        const refused = isKnown ? [405] : [404];
        const allowed = isKnown && ['GET', 'HEAD'].includes(method) ? [200, 400] : refused;
        expect({ method, given, body, allowed: allowed.includes(status) ? status : allowed }).toMatchObject({
          allowed: status,
        });
        if (method === 'HEAD') return;
        expect(JSON.parse(body)).toMatchObject({ success: status === 200 });
        if (!isKnown) expectUnrepeated(given, body);
      },
      numRuns: PATHS,
    });
    figure('paths: statuses', JSON.stringify(statuses));
  });
});
