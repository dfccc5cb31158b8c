// Nitro, the server of Nuxt: it is built, and its listener runs in a server of the panel's.
const { execFileSync } = require('node:child_process');
const { cpSync, symlinkSync } = require('node:fs');
const { createServer } = require('node:http');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

async function start() {
  // Nitro takes a folder below node_modules for a package.
  const dir = join(dirname(process.argv[2]), 'nitro');
  cpSync(join(__dirname, 'nitro'), dir, { recursive: true });
  symlinkSync(join(__dirname, 'node_modules'), join(dir, 'node_modules'));
  const command = join(__dirname, 'node_modules', 'nitropack', 'dist', 'cli', 'index.mjs');
  execFileSync(process.execPath, [command, 'build'], { cwd: dir, stdio: 'pipe' });
  globalThis.panel = require('./panel.cjs');
  const { listener } = await import(pathToFileURL(join(dir, '.output', 'server', 'index.mjs')));
  globalThis.panel.listen(createServer(listener));
}

void start();
