// `pages`: Next serves the API as one of its own routes. `server`: a custom server asks the module first.
const { cpSync, symlinkSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { dirname, join } = require('node:path');
const [, , database, form, basePath = ''] = process.argv;

async function start() {
  // Next takes a folder below node_modules for a package.
  const dir = join(dirname(database), 'next');
  cpSync(join(__dirname, 'next'), dir, { recursive: true });
  symlinkSync(join(__dirname, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'next.config.js'), `module.exports = ${JSON.stringify({ basePath })};`);
  require('node:child_process').execFileSync(
    process.execPath,
    [require.resolve('next/dist/bin/next'), 'build', '--webpack'],
    { cwd: dir, stdio: 'pipe' },
  );
  globalThis.panel = { ...require('./panel.cjs'), basePath };
  const { api, section, listen } = globalThis.panel;
  const app = require('next')({ dev: false, dir });
  await app.prepare();
  const [handleOwn, handleApi, handleSection] = [app.getRequestHandler(), api.handler(), section.handler()];
  listen(
    createServer((req, res) => {
      if (form === 'server' && handleApi(req, res)) return;
      if (!handleSection(req, res)) void handleOwn(req, res);
    }),
  );
}

void start();
