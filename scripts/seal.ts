import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resources } from '../client/resources';
import { digestFolders, PUBLISHED_FILE } from '../lib/release/digests';
import { published } from '../lib/release/published';
import * as assetTexts from '../section/assetTexts';

/** What a host imports: the module and the client. */
const IMPORTED = ['index.d.ts', 'client/index.d.ts'];

/** What a browser does not need: lines of comments, empty lines and the spaces in front of a line. */
const UNREAD = /^ *(?:\/\/.*|\/\*[\s\S]*?\*\/)?\n|^ +/gm;

/**
 * The last step of the build: removes the types that no host can reach and this folder, and makes texts, version,
 * digests and the client's resources part of the JavaScript.
 */
async function seal(folder: string): Promise<void> {
  // The demo builds without types.
  const entries = IMPORTED.map((entry) => join(folder, entry)).filter((file) => existsSync(file));
  pruneTypes(folder, entries);
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

/** A declaration of a `.d.ts` file with its comment, or an import. */
interface Statement {
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  /** What it declares. */
  readonly name: string | undefined;
  /** What it imports, or exports again, from another file. */
  readonly from: { readonly names: readonly string[]; readonly path: string } | null;
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;
// tsc begins each statement in the first column, and there also the members of a union and their comments.
const BEGINNING =
  /(?<!\*\/\n)^(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:import |export |declare |interface |type ))/m;
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/m;
const FROM = /^(?:import|export) (?:type )?\{?([^{}]*)\}? from '([^']+)'/m;

const VALUE = /^(?:export )?declare (?:const|function) /;

// A host constructs none of these classes, has no session, sees none of the parts of a mount, and only names the errors.
const HIDDEN: readonly [RegExp, string][] = [
  [/^(export declare class \w+ \{\n(?: .*\n)*? {4})constructor\(.*\);$/gm, '$1protected constructor();'],
  [/^(?: {4}\/\*\*.*\*\/\n)? {4}\w+\(session: .*\n/gm, ''],
  [
    /^ {8}readonly (?:counted: true|status: \d+|message: .*|headers: .*|details: readonly .*|(?:when|description): ['"].*);\n/gm,
    '',
  ],
  [/^(export interface Mount \{\n)[\s\S]*?^\}/m, '$1}'],
];

/** Removes from the declarations below a folder all that the types of these files do not need. */
function pruneTypes(folder: string, entries: readonly string[]): void {
  const files = new Map<string, readonly Statement[]>();
  /** The statements that are needed, and the names that an import among them needs. */
  const kept = new Map<Statement, Set<string>>();
  const statementsOf = (file: string) => {
    const statements = files.get(file) ?? statementsIn(readFileSync(file, 'utf8'));
    files.set(file, statements);
    return statements;
  };
  /** Keeps what a file means by a name, of a value only if asked to. Returns whether the file has it. */
  const keepName = (file: string, name: string, mayBeValue: boolean): boolean =>
    statementsOf(file).filter((statement) => {
      const [imported] = statement.from?.names.filter((one) => one === '*' || own(one) === name) ?? [];
      if (!statement.from || !imported)
        return (
          statement.name === name && (mayBeValue || !VALUE.test(statement.code)) && keep(file, statement)
        );
      const original = imported === '*' ? name : imported.split(' ')[0];
      const isThere = keepIn(file, statement.from.path, original, mayBeValue);
      if (isThere) kept.set(statement, (kept.get(statement) ?? new Set()).add(imported));
      return isThere;
    }).length > 0;
  const keepIn = (file: string, path: string, name = '', mayBeValue = false): boolean => {
    const target = join(dirname(file), path);
    const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find((one) => existsSync(one));
    return !path.startsWith('.') || (found !== undefined && keepName(found, name, mayBeValue));
  };
  const keep = (file: string, statement: Statement): boolean => {
    if (kept.has(statement)) return true;
    kept.set(statement, new Set());
    const inline = statement.code.matchAll(/import\("([^"]+)"\)\.(\w+)/g);
    for (const [, path = '', name] of inline) keepIn(file, path, name);
    for (const word of new Set(statement.code.match(/(?:typeof )?\w+/g)))
      keepName(file, word.replace('typeof ', ''), word.startsWith('typeof '));
    return true;
  };
  for (const entry of entries) {
    for (const statement of statementsOf(entry).filter(({ code }) => code.startsWith('export '))) {
      if (statement.from === null) keep(entry, statement);
      else for (const name of statement.from.names) keepName(entry, own(name), true);
    }
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!name.endsWith('.d.ts')) continue;
    const text = (files.get(file) ?? []).map((statement) => textOf(statement, kept.get(statement))).join('');
    if (text === '') rmSync(file);
    else writeFileSync(file, text);
  }
}

function statementsIn(text: string): readonly Statement[] {
  const shown = HIDDEN.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
  return shown.split(BEGINNING).map((statement) => {
    const code = statement.replace(COMMENT, '').trimStart();
    const [, list, path = ''] = FROM.exec(code) ?? [];
    const names = list?.split(',').map((name) => name.trim().replace(/^type /, ''));
    return { text: statement, code, name: DECLARED.exec(code)?.[1], from: names ? { names, path } : null };
  });
}

/** The name that an import or export gives to `a as b`. */
function own(name: string): string {
  return name.split(' as ').at(-1) ?? name;
}

function textOf({ text, code, from }: Statement, names: ReadonlySet<string> | undefined): string {
  if (names === undefined) return '';
  if (from === null || names.size === from.names.length) return text;
  return `${code.split(' ')[0]} type { ${[...names].join(', ')} } from '${from.path}';\n`;
}

void seal(join(__dirname, '..'));
