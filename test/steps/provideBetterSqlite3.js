const { existsSync } = require('node:fs');
const { mkdir, rm, symlink, writeFile } = require('node:fs/promises');
const { dirname, join, relative } = require('node:path');
const { findProgram } = require('../servers/findProgram');
const { installPackages } = require('./installPackages');
const { runCommand } = require('../runCommand');

const name = 'better-sqlite3';
/** npm compiles it for one Node. */
const COMPILED = '12.11.1';
/**
 * It is no devDependency, because the Node of the tests decides its version, so that both are tested: 13 has its binaries
 * in its package and crashes on Node 20.
 */
const version = Number.parseInt(process.versions.node, 10) < 24 ? COMPILED : '13.2.0';

const compilers = ['python3', 'make', 'g++'];
const modules = join(__dirname, '..', '..', 'node_modules');
/** Further optimisation would take longer than the tests would gain. */
const haste = { CFLAGS: '-O1', CXXFLAGS: '-O1', JOBS: 'max' };

/** Every `npm install` removes packages that are not in the lock file, but keeps these folders. */
function homeOf(wanted) {
  const abi = wanted === COMPILED ? `-${process.versions.modules}` : '';
  return join(modules, '.cache', `${name}-${wanted}${abi}`);
}

const folderOf = (wanted) => join(homeOf(wanted), 'node_modules', name);

/** The folder of the compiled version. */
const compiledBetterSqlite3 = folderOf(COMPILED);

/** Compiles that version, if it is not there yet. */
async function compileBetterSqlite3() {
  if (!existsSync(join(compiledBetterSqlite3, 'build', 'Release'))) await install(COMPILED);
}

async function provideBetterSqlite3() {
  if (await works()) return;
  await link();
  if (await works()) return;
  await install(version);
  await link();
  if (!(await works())) throw new Error(`${name} ${version} was installed and does not work.`);
}

/** Whether this Node can load that version. The other may be linked, or the same for another Node. */
function works() {
  const load = `new (require('${name}'))(':memory:'); console.log(require('${name}/package.json').version)`;
  return runCommand(process.execPath, ['-e', load]).then(
    (printed) => printed.trim() === version,
    () => false,
  );
}

async function link() {
  const path = join(modules, name);
  await rm(path, { recursive: true, force: true });
  await symlink(relative(modules, folderOf(version)), path);
}

async function install(wanted) {
  const home = homeOf(wanted);
  const missing = wanted === COMPILED ? compilers.filter((program) => !findProgram(program)) : [];
  if (missing.length > 0) await installPackages(missing);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: wanted }, allowScripts: { [name]: true } };
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
  await runCommand('npm', ['install', '--prefix', home], { cwd: home, env: { ...headers(), ...haste } });
}

/** Without this, node-gyp would download the headers that this Node contains, or use those of another one. */
function headers() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}

module.exports = { compileBetterSqlite3, compiledBetterSqlite3, provideBetterSqlite3 };
