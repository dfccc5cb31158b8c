const { join } = require('node:path');

/** Where the runtimes are installed, beside the packed module. Every `npm install` keeps this folder. */
exports.folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'runtimes');

/** The runtimes as npm installs them: each has its program as a package of the registry. */
const runtimes = { bun: '1.4.5', deno: '2.9.6' };

/** No devDependencies: 270 MB, for these tests. */
exports.manifest = {
  private: true,
  dependencies: {
    ...runtimes,
    'better-sqlite3': '13.2.0',
    elysia: '1.4.30',
    // What elysia needs of its peers when it runs.
    '@sinclair/typebox': '0.34.52',
    hono: '4.13.19',
    knex: '3.3.0',
    koa: '3.3.0',
    '@modelcontextprotocol/server': '2.4.0',
    mysql2: '3.24.5',
    pg: '8.23.1',
    winston: '3.19.0',
  },
  // The install scripts put the programs of the runtimes where these paths are; better-sqlite3 has its own in its package.
  allowScripts: { bun: true, deno: true },
};

/** The program of each runtime, and the arguments before a script: with the rights that a panel needs, and with all. */
exports.runtimes = {
  bun: { program: join(exports.folder, 'node_modules', 'bun', 'bin', 'bun.exe'), args: [], allRights: [] },
  deno: {
    program: join(exports.folder, 'node_modules', 'deno', 'deno'),
    args: ['run', '--allow-net', '--allow-env', '--allow-read', '--allow-sys', '--allow-run=systemctl'],
    allRights: ['run', '--allow-all'],
  },
};
