import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientLines } from '../../section/clientLines';
import '../servers/builtCommand';

const ROOT = join(__dirname, '..', '..');

const PROGRAM = `
  const module = require('node:module');
  const resolve = module._resolveFilename;
  module._resolveFilename = (name, ...rest) => {
    if (name.startsWith('@modelcontextprotocol/')) throw new Error('not installed');
    return resolve(name, ...rest);
  };
  const { createMcp, createPanelApi } = require('./dist');
  const db = require('knex')({ client: 'pg' });
  const api = createPanelApi({ db, logger: console });
  try { createMcp({ api }); } catch ({ message }) { console.log(message); }
`;

test('a panel without the package of the protocol mounts the API, and is told what to install for the MCP server', () => {
  const { stdout } = spawnSync(process.execPath, ['-e', PROGRAM], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toBe(
    'createMcp needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server@2\n',
  );
});

test('the guide shows the lines that the API section shows', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'how-to', 'assistants.md'), 'utf8');
  for (const { lines, file, client } of clientLines('https://panel.example/mcp')) {
    expect(guide).toContain(`\n${lines}\n`);
    expect(guide).toContain(file ?? client);
  }
});

test('the command for a client hands over the name of the variable, not the token', () => {
  const [{ lines } = { lines: '' }] = clientLines('https://panel.example/mcp').filter(({ file }) => !file);
  const script = `claude() { printf '%s\\n' "$@"; }\n${lines}`;
  const env = { ...process.env, PANEL_TOKEN: 'secret' };
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env });
  expect(stdout).toContain(`\nAuthorization: Bearer \${PANEL_TOKEN}\n`);
});
