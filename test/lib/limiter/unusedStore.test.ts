import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import '../../servers/builtCommand';

const ROOT = join(__dirname, '../../..');

/** Whether a mount with this store loads the package of the stores beside the database. */
function loadsPackage(store: string): unknown {
  const program = `
    const { createPanelApi } = require('./dist');
    const db = require('knex')({ client: 'pg' });
    createPanelApi({ db, logger: console, rateLimit: { store: ${store} } });
    const isOfPackage = (file) => /[\\\\/]rate-limiter-flexible[\\\\/]/.test(file);
    console.log(Object.keys(require.cache).some(isOfPackage));
  `;
  return JSON.parse(spawnSync(process.execPath, ['-e', program], { cwd: ROOT, encoding: 'utf8' }).stdout);
}

test('a mount that counts in the database does not load rate-limiter-flexible', () => {
  expect(loadsPackage("'database'")).toBe(false);
});

test.each(["'memory'", '{ get() {}, eval() {}, multi() {} }'])(
  'a mount that counts in %s loads rate-limiter-flexible',
  (store) => {
    expect(loadsPackage(store)).toBe(true);
  },
);
