import type { Command } from 'commander';
import type { GlobalOptions } from './GlobalOptions';
import { printNote } from './print';

/** Tells that only the configuration file could say which settings the panel's own options fix. */
export function noteMissingOptions(command: Command): void {
  if (command.optsWithGlobals<GlobalOptions>().config !== undefined) return;
  printNote('What the options of the mount set counts before this: --config FILE names them.');
}
