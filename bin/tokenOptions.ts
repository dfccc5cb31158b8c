import { type Command, Option } from 'commander';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { scopesOf } from '../lib/fields/Operation';
import type { Expiry, TokenChanges } from '../lib/tokens/TokenRecord';
import { operations } from '../routes';
import { parseExpiry } from './durations';
import { noteWithoutConfig, type Run } from './onPanel';
import { parseId } from './token';

/** How an expiry is written. */
export const EXPIRY_FORMS = '30m, 12h, 90d, 2w, 1y, a date (until its end), a date and time, or never';

export const SCOPES = scopesOf(operations);

export const SCOPES_HELP = `\nScopes: ${SCOPES.join(', ')}`;

/** The values of the options that `addPropertyOptions` adds. */
export interface PropertyOptions {
  readonly name?: string;
  readonly note?: string;
  readonly scope?: readonly string[];
  readonly account?: readonly string[];
  readonly owner?: true;
  readonly anyAccount?: true;
  readonly allow?: readonly string[];
  readonly anyAddress?: true;
  readonly rateLimit?: number;
  readonly defaultRateLimit?: true;
  readonly expires?: Expiry;
}

export const withId = (command: Command): Command => command.argument('<id>', 'id of the token', parseId);

/** Adds the options that give a token other properties. Those that are left out do not change. */
export function addPropertyOptions(command: Command, keptExpiry: string): Command {
  return command
    .option('--name <name>', 'display name of the token')
    .option('--note <text>', "note of at most 500 characters; '' for none")
    .option('--scope <scope...>', "all scopes of the token, or '*' for every scope")
    .addOption(accountOption())
    .addOption(ownerOption())
    .addOption(new Option('--any-account', 'data of all accounts').conflicts('account'))
    .option('--allow <address...>', 'all allowed addresses and networks')
    .addOption(new Option('--any-address', 'any address').conflicts('allow'))
    .option('--rate-limit <requests>', 'maximum number of requests per window', parseRateLimit)
    .addOption(
      new Option('--default-rate-limit', 'limit of the setting rate_limit_requests').conflicts('rateLimit'),
    )
    .option('--expires <when>', `${EXPIRY_FORMS}${keptExpiry}`, parseExpiry)
    .addHelpText('after', SCOPES_HELP);
}

export function accountNote({ account }: PropertyOptions, run: Run): undefined {
  if (account !== undefined) noteWithoutConfig(run, 'Looked the account up');
}

export function accountOption(byDefault = ''): Option {
  const description = `id, in accounts.php, of the only account whose data the token may read; repeated for several${byDefault}`;
  return new Option('--account <id>', description).argParser((id, before: readonly string[] | undefined) => [
    ...(before ?? []),
    id,
  ]);
}

export function ownerOption(): Option {
  return new Option(
    '--owner',
    'also the accounts whose owner_id is the account, such as those of a reseller',
  );
}

/** The properties that the options name. */
export function propertiesOf(options: PropertyOptions): Omit<TokenChanges, 'version'> {
  const { name, note, scope, account = [], owner, allow } = options;
  return given({
    name,
    note,
    scopes: scope && wordsOf(scope),
    accountId: options.anyAccount ? null : account.length === 1 ? account[0] : undefined,
    accountIds: account.length > 1 ? account : undefined,
    owner,
    allowedAddresses: options.anyAddress ? [] : allow && wordsOf(allow),
    rateLimit: options.defaultRateLimit ? null : options.rateLimit,
    ...options.expires,
  });
}

/** The values without those that are undefined. */
export function given<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as object;
}

export function parseRateLimit(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidInput('rateLimit', 'The rate limit must be a whole number of requests, at least 1.');
}

/** The values of an option that may be repeated or separated by commas. */
function wordsOf(values: readonly string[]): readonly string[] {
  return values.flatMap((words) => words.split(',')).map((word) => word.trim());
}
