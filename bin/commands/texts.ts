import type { Command } from 'commander';
import { unknownWord } from '../../lib/errors/InvalidInput';
import { englishTexts, ownLanguages } from '../../section/texts';
import type { Terminal } from '../Terminal';

/** Prints the texts of the API section, to be translated. It needs no database. */
export const texts = {
  description: 'print the texts of the API section, for a translation',
  define: (command: Command) =>
    command.argument('[language]', `one of ${Object.keys(ownLanguages).join(', ')}`, parseLanguage, 'en'),
  print(terminal: Terminal, language: string) {
    terminal.printJson({ ...englishTexts, ...ownLanguages[language] });
  },
};

function parseLanguage(text: string): string {
  if (Object.hasOwn(ownLanguages, text)) return text;
  throw unknownWord('language', 'language', text, Object.keys(ownLanguages));
}
