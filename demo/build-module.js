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

// The build writes release.json last.
const built = ['dist/release.json', 'node_modules'].every((name) =>
  fs.existsSync(path.join(moduleFolder, name)),
);
if (!built) {
  // The module's development tools have install scripts, which the build does not need.
  npm(moduleFolder, 'install', '--ignore-scripts', '--no-save');
  npm(moduleFolder, 'run', 'build');
}
// This command was not built yet when npm linked the packages' commands.
npm(__dirname, 'rebuild', 'koa-panel-api', '--ignore-scripts');
