import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resources } from '../client/resources';
import { errorDetails } from '../lib/errors/errorCodes';
import { objectSchema } from '../lib/fields';
import { scopesOf } from '../lib/fields/Operation';
import { digestFolders, PUBLISHED_FILE } from '../lib/health/digests';
import { published } from '../lib/health/published';
import type { JsonSchema } from '../lib/json/json';
import { operations } from '../routes';
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
  if (entries.length > 0) describeTypes(folder);
  removeUnreachedTypes(folder, entries);
  rmSync(__dirname, { recursive: true });
  rmSync(join(folder, 'section/assets'), { recursive: true });
  const texts = Object.entries(assetTexts).map(([name, text]) => [name, text.replace(UNREAD, '')]);
  writeValues(join(folder, 'section/assetTexts.js'), Object.fromEntries(texts));
  writeValues(join(folder, 'client/resources.js'), { resources });
  const digests = await digestFolders(folder);
  writeValues(join(folder, PUBLISHED_FILE), { published: { ...published, digests } });
}

/** Writes what the endpoints and errors declare into their types: editors show the texts, and suggest the scopes. */
function describeTypes(folder: string): void {
  const fields = operations.flatMap((operation) => textsIn(objectSchema(operation.fields).properties));
  addTexts(join(folder, 'routes/index.d.ts'), fields);
  addTexts(join(folder, 'lib/errors/errorCodes.d.ts'), textsIn(errorDetails));
  const scopes = scopesOf(operations).map((scope) => `'${scope}' | `);
  const file = join(folder, 'lib/fields/Operation.d.ts');
  const types = readFileSync(file, 'utf8');
  if (!types.includes('Scope = string')) throw new Error(`${file} declares no type Scope of texts.`);
  writeFileSync(file, types.replace('Scope = string', `Scope = ${scopes.join('')}(string & {})`));
}

/** The properties with their descriptions, each followed by those of the object, or of the objects in the list, that it is. */
function textsIn(properties: JsonSchema): (readonly [name: string, text: string])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { description, properties, items } = Object(schema);
    return [[name, description.replaceAll('*/', '*\\/')], ...textsIn(properties ?? items?.properties ?? {})];
  });
}

/** Adds each text to the declaration of its property; both are in the same order. The types need no literal texts then. */
function addTexts(file: string, texts: (readonly [name: string, text: string])[]): void {
  const types = readFileSync(file, 'utf8').replace(/^ {8}readonly (?:when|description): .*\n/gm, '');
  const described = types.replace(/^ +(?:readonly )?(\w+): /gm, (line, name) =>
    name === texts[0]?.[0] ? `/** ${texts.shift()?.[1]} */\n${line}` : line,
  );
  if (texts[0]) throw new Error(`${file} has no type of ${texts[0][0]}.`);
  writeFileSync(file, described);
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
