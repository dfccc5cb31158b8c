import { Command } from 'commander';
import { published } from '../lib/health/published';
import { audit } from './commands/audit';
import { check } from './commands/check';
import { migrate } from './commands/migrate';
import { tokenCreate, tokenDuplicate, tokenRotate } from './commands/newTokens';
import { openapi } from './commands/openapi';
import { copied, restored } from './commands/restored';
import { settingsList, settingsSet } from './commands/settings';
import { show } from './commands/show';
import { status } from './commands/status';
import { disable, enable } from './commands/switch';
import { texts } from './commands/texts';
import { tokenEdit, tokenExtend, tokenFind, tokenList, tokenRevoke, tokenShow } from './commands/tokens';
import { addGlobalOptions } from './config';
import { examples } from './examples';
import { endingOf, exitCodes } from './exit';
import { type Definition, onPanel } from './onPanel';
import { safeLines, type Terminal, USUAL_WIDTH } from './Terminal';
import { wrap } from './table';

/** Runs one command, and returns the exit code. */
export async function main(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' });
    return exitCodes.done.code;
  } catch (error) {
    return endWith(error, terminal);
  }
}

/** Prints what the user should know of an error, and returns the exit code. */
export function endWith(error: unknown, terminal: Terminal): number {
  const [exit, sentence] = endingOf(error);
  if (sentence !== undefined) terminal.note(sentence);
  return exitCodes[exit].code;
}

/** The command line of `panel-api`, with all commands in the order of the help. */
export function createProgram(terminal: Terminal): Command {
  const helpWidth = terminal.screen.width ?? USUAL_WIDTH;
  const program = new Command('panel-api')
    .description('Administers the tokens, the settings and the audit trail of the panel API on this server.')
    .version(published.version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      getOutHelpWidth: () => helpWidth,
      writeOut: (text) => terminal.print(safeLines(text.trimEnd())),
      writeErr: (text) => terminal.note(safeLines(text.trimEnd())),
      outputError: (text) => noteError(withoutUrls(text.trimEnd()), terminal),
    })
    .exitOverride()
    .addHelpText('afterAll', `\n${wrap(DATABASE_HELP, helpWidth)}\n\n${exitCodesHelp(helpWidth)}`);
  addGlobalOptions(program);
  program.command('token').description('create, show, change and revoke tokens');
  for (const [words, definition] of Object.entries<Definition | typeof texts>(COMMANDS)) {
    const [name = '', group] = words.split(' ').reverse();
    const parent = program.commands.find((command) => command.name() === group) ?? program;
    const command = parent.command(name).description(definition.description);
    definition.define?.(command);
    const lines = examples[words as keyof typeof COMMANDS].map((example) => `  panel-api ${example}`);
    command
      .action(
        'print' in definition ? definition.print.bind(definition, terminal) : onPanel(terminal, definition),
      )
      .addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  }
  return program;
}

/** All commands, by their words, in the order of the help. */
const COMMANDS = {
  'token create': tokenCreate,
  'token list': tokenList,
  'token show': tokenShow,
  'token find': tokenFind,
  'token edit': tokenEdit,
  'token extend': tokenExtend,
  'token rotate': tokenRotate,
  'token duplicate': tokenDuplicate,
  'token revoke': tokenRevoke,
  settings: settingsList,
  'settings set': settingsSet,
  audit,
  enable,
  disable,
  status,
  migrate,
  openapi,
  check,
  show,
  restored,
  copied,
  texts,
};

const DATABASE_HELP =
  'The command finds the database in --database, in --config, in the environment variable PANEL_API_DATABASE_URL, or else in the file panel-api.config.js of this directory. The variable keeps the password out of the list of processes.';

function exitCodesHelp(width: number): string {
  const indent = ' '.repeat(6);
  const lines = Object.values(exitCodes).map(
    ({ code, when }) =>
      `  ${String(code).padEnd(4)}${wrap(when, width - indent.length).replaceAll('\n', `\n${indent}`)}`,
  );
  return ['Exit codes:', ...lines].join('\n');
}

/** Prints an error of commander's: a line that may repeat an argument, and sometimes a second one that suggests another. */
function noteError(text: string, terminal: Terminal): void {
  const [, error = text, suggestion] = /^([\s\S]*)\n(\(Did you mean [^\n]*\))$/.exec(text) ?? [];
  terminal.note(error);
  if (suggestion !== undefined) terminal.note(suggestion);
}

/** Returns the text without URLs: one typed in the wrong place may contain the database's password. */
function withoutUrls(text: string): string {
  return text.replace(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\n]*/gi, '…');
}
