// Nitro, the server of Nuxt: it is built, and its listener runs in a server of the panel's.
const { execFileSync } = require('node:child_process');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { copied } = require('./copied.cjs');

async function start() {
  const dir = copied('nitro', process.argv[3]);
  const command = join(__dirname, 'node_modules', 'nitropack', 'dist', 'cli', 'index.mjs');
  execFileSync(process.execPath, [command, 'build'], { cwd: dir, stdio: 'pipe' });
  globalThis.panel = require('./panel.cjs');
  const { listener } = await import(pathToFileURL(join(dir, '.output', 'server', 'index.mjs')));
  globalThis.panel.listen(createServer(listener));
}

void start();
