import { type Command, Option } from 'commander';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { continuedLines, isExpiring, isUnused } from '../../lib/tokens/tokenWarnings';
import { parsePeriod } from '../durations';
import { CommandFailure } from '../exit';
import { formatTable } from '../table';
import { tokenColumns, tokenJson } from '../token';
import { withInstallation } from '../withInstallation';

const STATES = ['active', 'expired', 'revoked'] as const;

interface ListOptions {
  readonly state?: (typeof STATES)[number];
  /** In seconds. */
  readonly expiring?: number;
  readonly unused?: number;
}

export function tokenList(token: Command): void {
  token
    .command('list')
    .description('list tokens, the newest first')
    .addOption(new Option('--state <state>', 'only tokens in this state').choices(STATES))
    .addOption(
      new Option(
        '--expiring [duration]',
        'only active tokens that expire within this time and that no other has replaced',
      )
        .preset('14d')
        .argParser(parsePeriod),
    )
    .addOption(
      new Option('--unused [duration]', 'only active tokens that were not used for this time')
        .preset('90d')
        .argParser(parsePeriod),
    )
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  await withInstallation(command, async ({ tokens }) => {
    const all = await tokens.list();
    const continued = continuedLines(all);
    const found = all.filter((record) => matches(record, options, continued));
    const nothing = all.length === 0 ? 'There are no tokens.' : 'No token matches.';
    return {
      json: found.map(tokenJson),
      text: found.length === 0 ? nothing : formatTable(found, tokenColumns),
      failure: found.length === 0 ? undefined : foundFailure(found.length, options),
    };
  });
}

function matches(
  record: TokenRecord,
  { state, expiring, unused }: ListOptions,
  continued: ReadonlySet<number>,
): boolean {
  const isReplaced = record.rotatedAt !== null && continued.has(record.lineage);
  return (
    (state === undefined || record.state === state) &&
    (expiring === undefined || isExpiring(record, expiring, isReplaced)) &&
    (unused === undefined || isUnused(record, unused))
  );
}

/** The exit of a search for tokens that need attention: monitoring systems read its code. */
function foundFailure(count: number, { expiring, unused }: ListOptions): CommandFailure | undefined {
  if (expiring === undefined && unused === undefined) return undefined;
  return new CommandFailure('found', count === 1 ? '1 token was found.' : `${count} tokens were found.`);
}
