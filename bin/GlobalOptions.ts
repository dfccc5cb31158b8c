import type { Command } from 'commander';

/** What every command understands. */
export interface GlobalOptions {
  readonly database?: string;
  readonly config?: string;
  readonly tablePrefix?: string;
  readonly json?: boolean;
}

export function addGlobalOptions(program: Command): Command {
  return program
    .option(
      '--database <url>',
      'mysql://, mariadb://, postgres:// or sqlite: URL, or the path of an SQLite file',
    )
    .option(
      '--config <file>',
      'a module that exports the options of createPanelApi, or a function that gives them',
    )
    .option('--table-prefix <prefix>', "first part of the names of the module's tables, beside a URL")
    .option('--json', 'print JSON for scripts');
}
