import type { Command } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { printable } from '../../lib/errors/printable';
import { scopesOf } from '../../lib/operations/Operation';
import type { Settings } from '../../lib/settings/Settings';
import { DAY_SECONDS, rfc3339OfSeconds } from '../../lib/time/time';
import type { TokenRequest } from '../../lib/tokens/checkTokenRequest';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { operations } from '../../routes';
import { cliAuthor } from '../author';
import { parseExpiry } from '../durations';
import { tokenJson } from '../token';
import { withNewToken } from '../withNewToken';

type Expiry = Pick<TokenRequest, 'expiresInSeconds' | 'expiresAt'>;

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly account?: string;
  readonly allow?: readonly string[];
  readonly rateLimit?: number;
  readonly expires?: Expiry;
}

export function tokenCreate(token: Command): void {
  token
    .command('create')
    .description('create a token; it is shown only once')
    .requiredOption('--name <name>', 'display name of the token')
    .requiredOption('--scope <scope...>', "scope of the token, such as domains.read, or '*' for every scope")
    .option(
      '--account <id>',
      'id, in accounts.php, of the only account whose data the token may read (default: all accounts)',
    )
    .option(
      '--allow <address...>',
      'allowed address or network, such as 192.0.2.7 or 2001:db8::/32 (default: any address)',
    )
    .option(
      '--rate-limit <requests>',
      'maximum number of requests per window (default: the setting rate_limit_requests)',
      parseRateLimit,
    )
    .option(
      '--expires <when>',
      '30m, 12h, 90d, 2w, 1y, a date, a date and time, or never (default: the setting default_expiry_days)',
      (text) => (text === 'never' ? {} : parseExpiry(text)),
    )
    .addHelpText('after', `\nScopes: ${scopesOf(operations).join(', ')}`)
    .action(create);
}

function parseRateLimit(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidInput('rateLimit', 'The rate limit must be a whole number of requests, at least 1.');
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { name, scope, account, allow, rateLimit, expires } = options;
  await withNewToken(command, async ({ tokens, settings }, show) => {
    const request = {
      name,
      scopes: wordsOf(scope),
      ...(account === undefined ? {} : { accountId: account }),
      ...(allow === undefined ? {} : { allowedAddresses: wordsOf(allow) }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(expires ?? (await defaultExpiry(settings))),
    };
    const created = await tokens.create(request, cliAuthor());
    await show(created, { about: aboutOf(created.record), json: tokenJson(created.record) });
  });
}

/** The values of an option that may be repeated or separated by commas. */
function wordsOf(values: readonly string[]): readonly string[] {
  return values.flatMap((words) => words.split(',')).map((word) => word.trim());
}

async function defaultExpiry(settings: Settings): Promise<Expiry> {
  const days = await settings.get('defaultExpiryDays');
  return days === null ? {} : { expiresInSeconds: days * DAY_SECONDS };
}

function aboutOf({ id, accountId, scopes, allowedAddresses, rateLimit, expiresAt }: TokenRecord): string {
  const expiry = expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(expiresAt)}`;
  return [
    `Token ${id} ${expiry}.`,
    `Scopes: ${scopes.join(' ')}.`,
    ...(accountId === null ? [] : [`Account: ${printable(accountId)}.`]),
    ...(allowedAddresses.length === 0 ? [] : [`Allowed addresses: ${allowedAddresses.join(', ')}.`]),
    ...(rateLimit === null ? [] : [`Rate limit: ${rateLimit} requests per window.`]),
  ].join(' ');
}
