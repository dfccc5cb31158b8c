import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestFolders, PUBLISHED_FILE } from '../lib/release/digests';
import { published } from '../lib/release/published';
import * as assetTexts from '../section/assetTexts';
import { pruneTypes } from './pruneTypes';

/** What a host imports: the module and the client. */
const IMPORTED = ['index', 'client/index'];

/** What a browser does not need: lines of comments, empty lines and the spaces in front of a line. */
const UNREAD = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)?\n|^ +/gm;

/**
 * The last step of the build: removes all that no host can reach, and makes texts, version and digests part of the
 * JavaScript.
 */
async function seal(folder: string): Promise<void> {
  pruneTypes(
    folder,
    // The demo builds without types.
    IMPORTED.map((entry) => join(folder, `${entry}.d.ts`)).filter((file) => existsSync(file)),
  );
  const loaded = new Set<string>();
  for (const entry of [...IMPORTED, 'bin/panel-api', 'bin/monitor/check_panel'])
    load(join(folder, `${entry}.js`), loaded);
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (name.endsWith('.js') && !loaded.has(file)) rmSync(file);
    else if (/\.(js|d\.ts)$/.test(name)) writeFileSync(file, lessIndented(readFileSync(file, 'utf8')));
  }
  rmSync(join(folder, 'section/assets'), { recursive: true });
  const texts = Object.entries(assetTexts).map(([name, text]) => [name, text.replace(UNREAD, '')]);
  writeValues(join(folder, 'section/assetTexts.js'), Object.fromEntries(texts));
  const digests = await digestFolders(folder);
  writeValues(join(folder, PUBLISHED_FILE), { published: { ...published, digests } });
}

/** Code with a space for each level where tsc writes four; unchanged if a template literal may span lines. */
function lessIndented(code: string): string {
  const mayBeInText = code.split('\n').some((line) => line.split('`').length % 2 === 0);
  return mayBeInText ? code : code.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 4));
}

/** Replaces a built file by one that contains its values. */
function writeValues(file: string, values: object): void {
  writeFileSync(file, `module.exports = ${JSON.stringify(values, null, 1)};\n`);
}

/** Adds a file, and all files that it loads, to those that are loaded. */
function load(file: string, loaded: Set<string>): void {
  if (loaded.has(file)) return;
  loaded.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\brequire\("(\.[^"]+)"\)/g)) {
    const target = join(dirname(file), path);
    load([`${target}.js`, join(target, 'index.js')].find((one) => existsSync(one)) ?? target, loaded);
  }
}

void seal(join(__dirname, '..'));
