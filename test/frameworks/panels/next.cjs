// `pages` and `app`: Next serves the API as one of its own routes. `server`: a custom server asks the module first.
const { createServer } = require('node:http');
const { copied } = require('./copied.cjs');
const [, , , form, basePath = ''] = process.argv;

async function start() {
  const dir = copied('next', form === 'app' ? 'nextApp' : 'nextPages');
  process.env.PANEL_BASE_PATH = basePath;
  require('node:child_process').execFileSync(
    process.execPath,
    [require.resolve('next/dist/bin/next'), 'build', '--webpack'],
    { cwd: dir, stdio: 'pipe' },
  );
  globalThis.panel = { ...require('./panel.cjs'), basePath };
  const { api, section, asProxy, listen } = globalThis.panel;
  const app = require('next')({ dev: false, dir });
  await app.prepare();
  const [handleOwn, handleApi, handleSection] = [app.getRequestHandler(), api.handler(), section.handler()];
  listen(
    createServer((req, res) => {
      if (form === 'app') asProxy(req);
      if (form !== 'server' || !(handleApi(req, res) || handleSection(req, res))) void handleOwn(req, res);
    }),
  );
}

void start();
