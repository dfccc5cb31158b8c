import type { Command } from 'commander';
import type { Expiry } from '../../lib/tokens/checkTokenRequest';
import { cliAuthor } from '../author';
import { rightsText, tokenJson } from '../token';
import {
  defaultExpiry,
  EXPIRY_FORMS,
  parseExpiryOrNever,
  parseRateLimit,
  SCOPES_HELP,
  wordsOf,
} from '../tokenOptions';
import { withNewToken } from '../withNewToken';

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly note?: string;
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
    .option('--note <text>', 'note of at most 500 characters')
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
      `${EXPIRY_FORMS} (default: the setting default_expiry_days)`,
      parseExpiryOrNever,
    )
    .addHelpText('after', SCOPES_HELP)
    .action(create);
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { name, scope, note, account, allow, rateLimit, expires } = options;
  await withNewToken(command, async ({ tokens, settings }, show) => {
    const { expiresAt, expiresInSeconds } = expires ?? (await defaultExpiry(settings));
    const request = {
      name,
      scopes: wordsOf(scope),
      ...(note === undefined ? {} : { note }),
      ...(account === undefined ? {} : { accountId: account }),
      ...(allow === undefined ? {} : { allowedAddresses: wordsOf(allow) }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
      ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    };
    const created = await tokens.create(request, cliAuthor());
    await show(created, { about: rightsText(created.record), json: tokenJson(created.record) });
  });
}
