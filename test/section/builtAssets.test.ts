import { join } from 'node:path';
import { Script } from 'node:vm';
import { script, stylesheet } from '../../section/assetTexts';
import { builtCommand } from '../servers/builtCommand';

const written = { script, stylesheet };

const built: typeof written = require(join(builtCommand(), '../../section/assetTexts.js'));

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The lines of a text without comments, indentation and empty lines. */
const linesOf = (text: string): readonly string[] =>
  text
    .replace(COMMENT, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

test.each(['script', 'stylesheet'] as const)('the built %s has every line but the comments', (name) => {
  expect(linesOf(built[name])).toEqual(linesOf(written[name]));
  expect(built[name]).not.toMatch(COMMENT);
});

test('the script is whole, and no text in it spans lines, which would lose its spaces', () => {
  expect(() => new Script(built.script)).not.toThrow();
  expect(
    written.script
      .replace(COMMENT, '')
      .match(/`[^`]*`/g)
      ?.filter((text) => text.includes('\n')),
  ).toEqual([]);
});
