require('./check-node');
const childProcess = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const moduleFolder = path.join(__dirname, '..');

function npm(folder, ...args) {
  const { status } = childProcess.spawnSync('npm', ['--prefix', folder, ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`Building the module failed at "npm ${args.join(' ')}".`);
    process.exit(1);
  }
}

const isThere = (name) => fs.existsSync(path.join(moduleFolder, name));
// The build ends with the removal of this folder.
const built = isThere('dist/index.js') && !isThere('dist/section/assets') && isThere('node_modules');
if (!built) {
  // The module's development tools have install scripts, which the build does not need.
  npm(moduleFolder, 'install', '--ignore-scripts', '--no-save');
  npm(moduleFolder, 'run', 'build');
}
// This command was not built yet when npm linked the packages' commands.
npm(__dirname, 'rebuild', 'koa-panel-api', '--ignore-scripts');
