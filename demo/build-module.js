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

const has = (name) => fs.existsSync(path.join(moduleFolder, name));

// Only what the module runs on. Its tools are ten times as many packages, and its peers, also those of its packages, are
// the demo's.
if (!has('node_modules'))
  npm(moduleFolder, 'ci', '--omit=dev', '--omit=peer', '--legacy-peer-deps', '--ignore-scripts');
// The build ends with the removal of this folder.
if (!has('dist/index.js') || has('dist/section/assets')) {
  // The compiler is the demo's, and has no types to check with.
  npm(moduleFolder, 'run', '--silent', 'build:emit', '--', '--noCheck', '--types', '');
  npm(moduleFolder, 'run', '--silent', 'build:end');
}
// This command was not built yet when npm linked the packages' commands.
npm(__dirname, 'rebuild', 'koa-panel-api', '--ignore-scripts');
