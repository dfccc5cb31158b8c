// React Router's framework mode: its build answers in Express, as in its own server.
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const express = require('express');
const { copied } = require('./copied.cjs');

async function start() {
  const dir = copied('reactRouter');
  const command = join(__dirname, 'node_modules', '@react-router', 'dev', 'bin.cjs');
  execFileSync(process.execPath, [command, 'build'], { cwd: dir, stdio: 'pipe' });
  globalThis.panel = require('./panel.cjs');
  const { createRequestHandler } = await import('@react-router/express');
  const build = await import(pathToFileURL(join(dir, 'build', 'server', 'index.js')));
  // React Router prints what fails.
  console.error = () => undefined;
  const app = express();
  app.use(globalThis.panel.asProxy);
  app.use(createRequestHandler({ build }));
  globalThis.panel.listen(require('node:http').createServer(app));
}

void start();
