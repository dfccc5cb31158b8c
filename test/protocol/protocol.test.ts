import { execFile } from 'node:child_process';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AssistantsPanel, startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { createFilledTables } from '../fixture/panelTables';
import { folder } from './packages';

const run = promisify(execFile);
const program = (name: string, ...args: string[]) =>
  run(process.execPath, [join(folder, 'node_modules', '.bin', name), ...args], { cwd: folder });

let mcp: AssistantsPanel;
let token: string;

beforeAll(async () => {
  const database = await freshDatabase('sqlite');
  await createFilledTables(database.knex);
  mcp = await startAssistantsPanel({ db: database.knex }, { hosts: ['127.0.0.1'] });
  token = await mcp.panel.token();
});

/** The suite sends no token, so this adds it. */
async function startAddingToken(): Promise<string> {
  const server: Server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const sent = forward(mcp.url, { method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAtEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('the conformance suite fails in the scenarios alone that are expected to', async () => {
  const options = [
    `--url=${await startAddingToken()}`,
    `--expected-failures=${__dirname}/expectedFailures.yml`,
  ];
  // It fails, too, if a scenario passes that is expected to fail.
  const { stdout } = await program('conformance', 'server', '--suite=all', ...options).catch(
    (ended) => ended,
  );
  expect(stdout).toMatch(/Baseline check passed/);
});

const inspector = async (...args: string[]) => {
  const header = `Authorization: Bearer ${token}`;
  const { stdout } = await program(
    'mcp-inspector',
    '--cli',
    mcp.url,
    '--transport',
    'http',
    '--header',
    header,
    ...args,
  );
  return JSON.parse(stdout);
};

test('the command line of the inspector lists all tools', async () => {
  const { tools } = await inspector('--method', 'tools/list');
  expect(tools).toHaveLength(6);
});

test.each([
  ['panel_overview', []],
  ['panel_problems', ['days=30']],
  ['panel_find', ['name=shop']],
  ['panel_list', ['list=domains', 'where={"status":["active"]}']],
  ['panel_count', ['list=domains', 'by=status']],
  ['panel_server', []],
])('the command line of the inspector calls %s', async (tool, args) => {
  const given = args.length > 0 ? ['--tool-arg', ...args] : [];
  const { structuredContent, isError } = await inspector(
    '--method',
    'tools/call',
    '--tool-name',
    tool,
    ...given,
  );
  expect([isError, typeof structuredContent]).toEqual([undefined, 'object']);
});
