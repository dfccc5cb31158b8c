const { extname } = require('node:path');
const { runCommand } = require('../runCommand');

const FORMATS = {
  '.cjs': ['--format=cjs'],
  '.mjs': [
    '--format=esm',
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  ],
};
// knex names the drivers of all its databases. The bundle loads the one that it needs from its folder.
const DRIVERS =
  'better-sqlite3 mariadb mysql mysql2 oracledb pg pg-native pg-query-stream sqlite3 tedious'.split(' ');

/** Makes the program of a host, with all its packages, into one file beside it, and returns the host with that file. */
async function bundleHost({ file, folder }) {
  const kind = extname(file);
  const bundled = `bundled${kind}`;
  await runCommand(
    'npx',
    [
      'esbuild',
      file,
      '--bundle',
      '--platform=node',
      `--outfile=${bundled}`,
      ...FORMATS[kind],
      ...DRIVERS.map((name) => `--external:${name}`),
    ],
    { cwd: folder },
  );
  return { file: bundled, folder, isBundle: true };
}

module.exports = { bundleHost };
