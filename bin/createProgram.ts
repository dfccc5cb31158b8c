import { Command } from 'commander';
import { moduleFacts } from '../lib/release/moduleFacts';
import { addCommands } from './commands';
import { exitCodesHelp } from './exitCodes';
import { addGlobalOptions } from './GlobalOptions';
import { print, printNote } from './print';
import { withoutUrls } from './withoutUrls';

const DATABASE_HELP = `The database is taken from --database, from --config, or from the environment variable
PANEL_API_DATABASE_URL; the variable keeps its password out of the list of processes.`;

/** The command line of `panel-api`. */
export function createProgram(): Command {
  const program = new Command('panel-api')
    .description('Tokens, audit trail and switch of the panel API on this server.')
    .version(moduleFacts().version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printNote(text.trimEnd()),
      outputError: (text, write) => write(withoutUrls(text)),
    })
    .exitOverride()
    .addHelpText('afterAll', `\n${DATABASE_HELP}\n\n${exitCodesHelp()}`);
  addCommands(addGlobalOptions(program));
  return program;
}
