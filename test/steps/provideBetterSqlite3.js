const { existsSync } = require('node:fs');
const { mkdir, rm, symlink, writeFile } = require('node:fs/promises');
const { dirname, join, relative } = require('node:path');
const { findProgram } = require('../servers/findProgram');
const { installPackages } = require('./installPackages');
const { runCommand } = require('../runCommand');

/**
 * It is no devDependency: it may have to be compiled, and `npm install` must work where there is no compiler.
 * Version 13 crashes on Node.js 20.
 */
const name = 'better-sqlite3';
const version = '12.11.1';

const compilers = ['python3', 'make', 'g++'];
const modules = join(__dirname, '..', '..', 'node_modules');
/** Further optimisation would take longer than the tests would gain. */
const haste = { CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: 'max' };
/** Every `npm install` removes packages that are not in the lock file, but keeps this folder. */
const home = join(modules, '.cache', `${name}-${version}`);

async function provideBetterSqlite3() {
  if (await works()) return;
  await link();
  if (await works()) return;
  await install();
  await link();
  if (!(await works())) throw new Error(`${name} ${version} was installed and does not work.`);
}

function works() {
  return runCommand(process.execPath, ['-e', `new (require('${name}'))(':memory:')`]).then(
    () => true,
    () => false,
  );
}

async function link() {
  const path = join(modules, name);
  await rm(path, { recursive: true, force: true });
  await symlink(relative(modules, join(home, 'node_modules', name)), path);
}

async function install() {
  const missing = compilers.filter((program) => !findProgram(program));
  if (missing.length > 0) await installPackages(missing);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  await runCommand('npm', ['install', '--prefix', home], { cwd: home, env: { ...headers(), ...haste } });
}

/** Without this, node-gyp would download the headers, which this Node.js already contains. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  if (process.env.npm_config_nodedir || !existsSync(join(prefix, 'include', 'node', 'node.h'))) return {};
  return { npm_config_nodedir: prefix };
}

module.exports = { provideBetterSqlite3 };
