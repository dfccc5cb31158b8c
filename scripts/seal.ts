import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestFolders, PUBLISHED_FILE } from '../lib/release/digests';
import { published } from '../lib/release/published';
import * as assetTexts from '../section/assetTexts';
import { pruneTypes } from './pruneTypes';

/** What a host imports: the module and the client. */
const IMPORTED = ['index', 'client/index'];

/** What a browser does not need: lines of comments, empty lines and the spaces in front of a line. */
const UNREAD = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)?\n|^ +/gm;

/**
 * The last step of the build: removes the types that no host can reach and this folder, and makes texts, version and
 * digests part of the JavaScript.
 */
async function seal(folder: string): Promise<void> {
  pruneTypes(
    folder,
    // The demo builds without types.
    IMPORTED.map((entry) => join(folder, `${entry}.d.ts`)).filter((file) => existsSync(file)),
  );
  rmSync(__dirname, { recursive: true });
  rmSync(join(folder, 'section/assets'), { recursive: true });
  const texts = Object.entries(assetTexts).map(([name, text]) => [name, text.replace(UNREAD, '')]);
  writeValues(join(folder, 'section/assetTexts.js'), Object.fromEntries(texts));
  const digests = await digestFolders(folder);
  writeValues(join(folder, PUBLISHED_FILE), { published: { ...published, digests } });
}

/** Replaces a built file by one that contains its values. */
function writeValues(file: string, values: object): void {
  writeFileSync(file, `module.exports = ${JSON.stringify(values, null, 1)};\n`);
}

void seal(join(__dirname, '..'));
