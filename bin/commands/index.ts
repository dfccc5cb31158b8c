import type { Command } from 'commander';
import { audit } from './audit';
import { check } from './check';
import { disable } from './disable';
import { enable } from './enable';
import { migrate } from './migrate';
import { openapi } from './openapi';
import { settingsList } from './settingsList';
import { settingsSet } from './settingsSet';
import { status } from './status';
import { tokenCreate } from './tokenCreate';
import { tokenList } from './tokenList';
import { tokenRevoke } from './tokenRevoke';
import { tokenRotate } from './tokenRotate';
import { tokenShow } from './tokenShow';

/** Adds every command to the program, in the order of its help. */
export function addCommands(program: Command): void {
  const token = program.command('token').description('make, look at, rotate and revoke tokens');
  for (const add of [tokenCreate, tokenList, tokenShow, tokenRotate, tokenRevoke]) add(token);
  const settings = program.command('settings').description('show the settings, or change one');
  for (const add of [settingsList, settingsSet]) add(settings);
  for (const add of [audit, enable, disable, status, migrate, openapi, check]) add(program);
}
