import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../routes';
import { connectClient } from '../fixture/assistants/assistantsPanel';
import { until } from '../fixture/until';
import { createByForms } from '../frameworks/sectionForms';
import { requestLinesOf, type StartedPanel } from '../frameworks/startPanel';
import { json, ROWS } from '../frameworks/testsOfEveryHost';
import { ENGINES, filledDatabase, HOSTS, panelApi, sendPage, startOn, switchOn } from './onRuntime';

const LIST = '/api/v1/domains.php';
const ME = '/api/v1/me.php';

/** What a runtime may use for a list of so many rows, above what it had before. The whole list has 20 MB. */
const MOST_MIB = 64;

/** Node's `http` on each engine, and the other hosts on one. */
const PLACES = HOSTS.flatMap(([name, runtime, file, flags]) =>
  ENGINES.filter((engine) => file === 'http.cjs' || engine === 'mariadb').map(
    (engine) => [name, engine, runtime, file, flags] as const,
  ),
);

describe.each(PLACES)('In a panel of %s over %s', (_name, engine, runtime, file, flags) => {
  let database: string;
  let panel: StartedPanel;

  beforeAll(async () => {
    database = await filledDatabase(engine);
    panel = await startOn(runtime, file, database, flags);
    await switchOn(panel);
  });

  const get = (path: string, { url, token } = panel) =>
    fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });

  /** Asks for the list, and reads the headers of the answer. */
  const openList = async () => {
    const headers = { Authorization: `Bearer ${panel.token}` };
    const request = http.get(panel.url + LIST, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    request.on('error', () => undefined);
    return { request, response };
  };

  /** The line of the log about a request. */
  const lineOf = async (id: string | null) => {
    const find = async () => (await requestLinesOf(panel)).find(({ request_id }) => request_id === id);
    await until(async () => (await find()) !== undefined);
    return find();
  };

  test.each(operations.map(({ name, kind }) => [name, kind]))(
    'the endpoint %s answers, and the log says that the answer was sent whole',
    async (name, kind) => {
      const answer = await get(`/api/v1/${name}.php${kind === 'list' ? '?limit=1' : ''}`);
      const bytes = (await answer.arrayBuffer()).byteLength;
      const line = await lineOf(answer.headers.get('X-Request-Id'));
      expect(line).toMatchObject({ status: 200, bytes });
      expect(line).not.toHaveProperty('aborted');
    },
  );

  test('a refusal is in the log, and is not aborted', async () => {
    const answer = await get(ME, { ...panel, token: 'wrong' });
    const line = await lineOf(answer.headers.get('X-Request-Id'));
    expect(line).toMatchObject({ status: 401, error_code: 'token_unknown' });
    expect(line).not.toHaveProperty('aborted');
  });

  test(`a list of ${ROWS} rows arrives whole, and the log says so`, async () => {
    const answer = await get(LIST);
    const id = answer.headers.get('X-Request-Id');
    expect((await json(answer)).data.items).toHaveLength(ROWS);
    const line = await lineOf(id);
    expect(line).toMatchObject({ status: 200 });
    expect(line).not.toHaveProperty('aborted');
  });

  test(`a list of ${ROWS} rows takes less than ${MOST_MIB} MiB of memory`, async () => {
    for (let warm = 0; warm < 3; warm += 1) await (await get(LIST)).text();
    const folder = `/proc/${panel.panel.pid}`;
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`${folder}/status`, 'utf8'))?.[1]);
    // The kernel notes the peak from now on.
    writeFileSync(`${folder}/clear_refs`, '5');
    const before = kilobytes('VmRSS');
    await (await get(LIST)).text();
    expect((kilobytes('VmHWM') - before) / 1024).toBeLessThan(MOST_MIB);
  });

  test('a list is read from the database no faster than its client reads it', async () => {
    const { request, response } = await openList();
    const id = String(response.headers['x-request-id']);
    // All buffers between are full long before.
    await sleep(1500);
    request.destroy();
    const length = (await (await get(LIST)).arrayBuffer()).byteLength;
    expect(Number((await lineOf(id))?.bytes)).toBeLessThan(length / 2);
  });

  test('a client that leaves a list is in the log as aborted, and the next request is answered', async () => {
    const { request, response } = await openList();
    response.once('data', () => request.destroy());
    expect(await lineOf(String(response.headers['x-request-id']))).toMatchObject({ aborted: true });
    expect((await get(ME)).status).toBe(200);
  });

  test('forms of the section switch the API off and on', async () => {
    expect(await sendPage(panel, '/admin/api', ['confirmed', 'on'])).toBe(303);
    expect((await get(ME)).status).toBe(503);
    await switchOn(panel);
    expect((await get(ME)).status).toBe(200);
  });

  test('a form of the section creates a token, which is answered', async () => {
    const token = await createByForms(panel.url);
    expect((await get(`${LIST}?limit=1`, { ...panel, token })).status).toBe(200);
  });

  test('the metrics are answered', async () => {
    const answer = await get('/metrics');
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining(`panel_domains{status="active"} ${ROWS}`),
    ]);
  });

  test.each(['legacy', 'modern'] as const)('the MCP server answers the official client, %s', async (era) => {
    const client = await connectClient(`${panel.url}/mcp`, panel.token, era);
    const count = { name: 'panel_count', arguments: { list: 'domains', by: 'status' } };
    expect((await client.callTool(count)).structuredContent).toMatchObject({ rows: ROWS });
  });

  test('the command, run by it, creates a token, shows it and revokes it', async () => {
    const command = (...words: string[]) => panelApi(runtime, database, ...words);
    const created = JSON.parse(
      await command('--json', 'token', 'create', '--name', 'cli', '--scope', 'domains.read'),
    );
    expect((await get(`${LIST}?limit=1`, { ...panel, token: created.token })).status).toBe(200);
    expect(await command('token', 'list')).toContain('cli');
    await command('token', 'revoke', String(created.id), '--yes');
    expect((await get(`${LIST}?limit=1`, { ...panel, token: created.token })).status).toBe(401);
  });

  test('a token that one process revokes is refused by another at once', async () => {
    const other = await startOn(runtime, file, database, flags);
    expect((await get(ME, { ...panel, token: other.token })).status).toBe(200);
    const { id } = (await dataOf(await get(ME, other))).token;
    expect(await sendPage(panel, `/admin/api/tokens/${id}/revoke`)).toBe(303);
    expect([(await get(ME, other)).status, (await get(ME, { ...panel, token: other.token })).status]).toEqual(
      [401, 401],
    );
  });

  test('the release audit judges the runtime itself', async () => {
    const { checks } = await dataOf(await get('/api/v1/release-audit.php'));
    expect(checks).toContainEqual({
      id: runtime,
      title: expect.stringContaining('release line was tested'),
      status: 'pass',
      detail: expect.stringMatching(runtime === 'bun' ? /^Bun is 1\.4\./ : /^Deno is 2\.9\./),
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
async function dataOf(answer: Response): Promise<any> {
  return ((await answer.json()) as { data: unknown }).data;
}
