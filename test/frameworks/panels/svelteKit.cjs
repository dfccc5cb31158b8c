// SvelteKit, whose adapter for Node gives a handler.
const { execFileSync } = require('node:child_process');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { copied } = require('./copied.cjs');

async function start() {
  const dir = copied('svelteKit');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  // SvelteKit refuses the forms of other origins than this.
  const env = { ...process.env, PANEL_ORIGIN: `http://127.0.0.1:${port}` };
  const vite = join(__dirname, 'node_modules', 'vite', 'bin', 'vite.js');
  execFileSync(process.execPath, [vite, 'build'], { cwd: dir, env, stdio: 'pipe' });
  globalThis.panel = require('./panel.cjs');
  const { handler } = await import(pathToFileURL(join(dir, 'build', 'handler.js')));
  server.on('request', (req, res) => handler(req, res, () => res.writeHead(404).end()));
  await globalThis.panel.listening(port);
}

void start();
