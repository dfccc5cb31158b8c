const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { devDependencies } = require('../../package.json');
const { withDatabase } = require('./checkHost');
const { runCommand } = require('../runCommand');

const YARN = '@yarnpkg/cli-dist@4.18.1';

/** Installs the tarball with Yarn into a panel without `node_modules`, in an empty folder, and runs its command there. */
async function checkPlugAndPlay({ tarball, folder, serverUrl }) {
  const versions = ['knex', 'koa', 'mysql2'].map((name) => [name, devDependencies[name]]);
  const dependencies = { 'koa-panel-api': `file:${tarball}`, ...Object.fromEntries(versions) };
  const panel = join(folder, 'panel');
  mkdirSync(panel, { recursive: true });
  writeFileSync(join(panel, 'package.json'), JSON.stringify({ name: 'panel', private: true, dependencies }));
  // Without its own, Yarn looks for a lock file in the folders above.
  writeFileSync(join(panel, 'yarn.lock'), '');
  await runCommand('npm', [
    'install',
    '--prefix',
    folder,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    YARN,
  ]);
  const registry = await runCommand('npm', ['config', 'get', 'registry']);
  const yarn = (args, env) =>
    runCommand('node', [join(folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js'), ...args], {
      cwd: panel,
      env: {
        YARN_NPM_REGISTRY_SERVER: registry.trim(),
        YARN_NODE_LINKER: 'pnp',
        YARN_ENABLE_GLOBAL_CACHE: 'false',
        YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
        YARN_ENABLE_TELEMETRY: 'false',
        ...env,
      },
    });
  await yarn(['install']);
  await withDatabase(serverUrl, async (url) => {
    const printed = await yarn(['panel-api', 'status'], { PANEL_API_DATABASE_URL: url });
    if (!/^api +off$/m.test(printed)) throw new Error(`With Yarn, panel-api status printed:\n${printed}`);
  });
}

module.exports = { checkPlugAndPlay };
