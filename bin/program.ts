import { Command } from 'commander';
import { published } from '../lib/release/published';
import { audit } from './commands/audit';
import { check } from './commands/check';
import { migrate } from './commands/migrate';
import { openapi } from './commands/openapi';
import { settingsList, settingsSet } from './commands/settings';
import { status } from './commands/status';
import { disable, enable } from './commands/switch';
import { tokenCreate } from './commands/tokenCreate';
import { tokenDuplicate } from './commands/tokenDuplicate';
import { tokenEdit } from './commands/tokenEdit';
import { tokenExtend } from './commands/tokenExtend';
import { tokenList } from './commands/tokenList';
import { tokenRevoke } from './commands/tokenRevoke';
import { tokenRotate } from './commands/tokenRotate';
import { tokenShow } from './commands/tokenShow';
import { addGlobalOptions } from './config';
import { addExamples } from './examples';
import { exitCodesHelp } from './exit';
import { print, printNote, safeLines } from './output';
import { helpWidth } from './screen';
import { wrap } from './table';

const DATABASE_HELP = wrap(
  'The command finds the database in --database, in --config, in the environment variable PANEL_API_DATABASE_URL, or else in the file panel-api.config.js of this directory. The variable keeps the password out of the list of processes.',
  helpWidth,
).join('\n');

/** The command line of `panel-api`, with all commands in the order of the help. */
export function createProgram(): Command {
  const program = new Command('panel-api')
    .description('Administers the tokens, the settings and the audit trail of the panel API on this server.')
    .version(published.version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      // The command silences the stream that commander would ask.
      getOutHelpWidth: () => helpWidth,
      writeOut: (text) => print(safeLines(text.trimEnd())),
      writeErr: (text) => printNote(safeLines(text.trimEnd())),
      outputError: (text) => printError(withoutUrls(text.trimEnd())),
    })
    .exitOverride()
    .addHelpText('afterAll', `\n${DATABASE_HELP}\n\n${exitCodesHelp()}`);
  addGlobalOptions(program);
  const token = program.command('token').description('create, show, change and revoke tokens');
  for (const add of [
    tokenCreate,
    tokenList,
    tokenShow,
    tokenEdit,
    tokenExtend,
    tokenRotate,
    tokenDuplicate,
    tokenRevoke,
  ])
    add(token);
  const settings = program.command('settings').description('show all settings, or change one');
  for (const add of [settingsList, settingsSet]) add(settings);
  for (const add of [audit, enable, disable, status, migrate, openapi, check]) add(program);
  addExamples(program);
  return program;
}

/** Prints an error of commander's: a line that may repeat an argument, and sometimes a second one that suggests another. */
function printError(text: string): void {
  const [, error = text, suggestion] = /^([\s\S]*)\n(\(Did you mean [^\n]*\))$/.exec(text) ?? [];
  printNote(error);
  if (suggestion !== undefined) printNote(suggestion);
}

/** Returns the text without URLs: one typed in the wrong place may contain the database's password. */
function withoutUrls(text: string): string {
  return text.replace(/[a-z][a-z0-9+.-]*:\/\/[^\n]*/gi, '…');
}
