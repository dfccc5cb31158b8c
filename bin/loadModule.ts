import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { printable } from '../lib/errors/printable';
import { codeWarnings, guardLoading } from './codeWarnings';
import { CommandFailure } from './exit';

const TYPESCRIPT = /\.[cm]?ts$/;
const INSTALL_TSX = 'run npm install --save-dev tsx in the panel';

/**
 * Loads a module. One in TypeScript is read with the panel's tsx, which reads more than Node.js; without tsx, by Node.js
 * if it strips types. Throws a CommandFailure that says what to do if nothing reads it.
 */
export async function loadModule(file: string): Promise<object> {
  if (TYPESCRIPT.test(file)) await prepareTypeScript(file);
  return import(pathToFileURL(file).href);
}

async function prepareTypeScript(file: string): Promise<void> {
  const tsx = tsxFor(file);
  if (tsx === null && (process.features as { readonly typescript?: unknown }).typescript) return;
  const missing = `Node.js ${process.version} does not read TypeScript: use Node.js 22.18 or later, ${INSTALL_TSX}, or write the configuration file in JavaScript.`;
  const warning = tsx === null ? missing : codeWarnings()(tsx);
  if (tsx === null || warning !== null) throw new CommandFailure('setup', warning ?? missing);
  await import(pathToFileURL(tsx).href);
  // tsx has replaced the functions that check files before they are loaded.
  guardLoading((failure) => {
    throw failure;
  });
}

/** The file of tsx that makes this process read TypeScript; null if the panel has none. */
function tsxFor(file: string): string | null {
  try {
    return createRequire(file).resolve('tsx');
  } catch {
    return null;
  }
}

/** Why Node.js does not read TypeScript, by the code or name of its error. */
const CAUSES: Readonly<Record<string, string>> = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    'Node.js only strips types: it reads no enum, namespace or parameter property.',
  missing: "Node.js needs the extension in the import of the panel's own file, such as './db.ts'.",
  SyntaxError:
    'In a package of the type commonjs, a file with import or export, also one that the configuration imports, needs the extension .mts. In every package, types are imported with `import type`.',
};

/**
 * Throws a CommandFailure for an error of this file. The message of the error may contain anything in the panel's
 * configuration, including passwords; only the name of a module that does not exist is taken from it.
 */
export function throwLoadingFailure(error: unknown, file: string): never {
  if (error instanceof CommandFailure) throw error;
  const { code, name, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const word = [code, name].find((text) => typeof text === 'string' && /^\w{1,64}$/.test(text)) ?? 'unknown';
  const [, module] = /^\S*MODULE_NOT_FOUND Cannot find \w+ '(.+?)'/.exec(`${word} ${message}`) ?? [];
  const what = module ? `${word}: ${printable(module, 200)}` : String(word);
  const kind = /^(?:\.|\/|\w:)/.test(module ?? '') ? 'missing' : String(word);
  const cause = TYPESCRIPT.test(file) && !tsxFor(file) && CAUSES[kind];
  const more = cause ? ` ${cause} Or ${INSTALL_TSX}.` : '';
  throw new CommandFailure('setup', `The configuration file could not be loaded (${what}).${more}`);
}
