import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resources } from '../client/resources';
import { digestFolders, PUBLISHED_FILE } from '../lib/health/digests';
import { published } from '../lib/health/published';
import * as assetTexts from '../section/assetTexts';

/** What a host imports: the module, the client and its store. */
const IMPORTED = ['index.d.ts', 'client/index.d.ts', 'client/FileStore.d.ts'];

/** What a browser does not need: lines of comments, empty lines and the spaces in front of a line. */
const UNREAD = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)?\n|^ +/gm;

/**
 * The last step of the build: removes the declarations that no host reaches and this folder, and makes texts, version,
 * digests and the client's resources part of the JavaScript.
 */
async function seal(folder: string): Promise<void> {
  // The demo builds without types.
  const entries = IMPORTED.map((entry) => join(folder, entry)).filter((file) => existsSync(file));
  removeUnreachedTypes(folder, entries);
  rmSync(__dirname, { recursive: true });
  rmSync(join(folder, 'section/assets'), { recursive: true });
  const texts = Object.entries(assetTexts).map(([name, text]) => [name, text.replace(UNREAD, '')]);
  writeValues(join(folder, 'section/assetTexts.js'), Object.fromEntries(texts));
  writeValues(join(folder, 'client/resources.js'), { resources });
  const digests = await digestFolders(folder);
  writeValues(join(folder, PUBLISHED_FILE), { published: { ...published, digests } });
}

/** Replaces a built file by one that contains its values. */
function writeValues(file: string, values: object): void {
  writeFileSync(file, `module.exports = ${JSON.stringify(values, null, 1)};\n`);
}

const FROM = /(?:from |import\()["'](\.[^"'\n]+)["']/g;

/** Removes the declarations that no entry imports, directly or through others. */
function removeUnreachedTypes(folder: string, entries: readonly string[]): void {
  const reached = new Set(entries);
  for (const file of reached)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(FROM)) {
      const target = join(dirname(file), path);
      const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find((one) => existsSync(one));
      if (found) reached.add(found);
    }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
}

void seal(join(__dirname, '..'));
