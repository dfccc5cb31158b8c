import type { Command } from 'commander';
import { printable } from '../../lib/errors/printable';
import type { Installation } from '../../lib/Installation';
import { scopesOf } from '../../lib/operations/OperationFacts';
import { DAY_SECONDS, rfc3339OfSeconds } from '../../lib/time/time';
import type { TokenRequest } from '../../lib/tokens/checkTokenRequest';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { operations } from '../../routes';
import { parseExpiry, parseRateLimit } from '../arguments';
import { cliAuthor } from '../author';
import { creationPatienceMs } from '../connect';
import { refuseDiscarded } from '../output';
import { deferSignals, showToken, tokenJson } from '../token';
import { withInstallation } from '../withInstallation';

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly account?: string;
  readonly allow?: readonly string[];
  readonly rateLimit?: string;
  readonly expires?: string;
}

export function tokenCreate(token: Command): void {
  token
    .command('create')
    .description('make a token; it is shown this once')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--scope <scope...>', "what it may read, such as domains.read, or '*' for everything")
    .option(
      '--account <id>',
      'the one account that it may read of, by its id in accounts.php; without it, all',
    )
    .option(
      '--allow <address...>',
      'an address or network that it may be used from, such as 192.0.2.7 or 2001:db8::/32; without it, any',
    )
    .option('--rate-limit <requests>', 'how many requests it may make in one window; without it, the default')
    .option(
      '--expires <when>',
      '30m, 12h, 90d, 2w, 1y, a date, a date and time, or never; without it, what the setting default_expiry_days says',
    )
    .addHelpText('after', `\nScopes: ${scopesOf(operations).join(', ')}`)
    .action(create);
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const request = readRequest(options);
  refuseDiscarded();
  await withInstallation(command, {
    tables: true,
    patience: creationPatienceMs,
    async run(installation, json) {
      const expiry = options.expires === undefined ? await defaultExpiry(installation) : {};
      await deferSignals(() => createAndShow(installation, { ...request, ...expiry }, json));
    },
  });
}

function readRequest({ name, scope, account, allow, rateLimit, expires }: CreateOptions): TokenRequest {
  return {
    name,
    scopes: wordsOf(scope),
    ...(account === undefined ? {} : { accountId: account }),
    ...(allow === undefined ? {} : { allowedAddresses: wordsOf(allow) }),
    ...(rateLimit === undefined ? {} : { rateLimit: parseRateLimit(rateLimit) }),
    ...(expires === undefined || expires === 'never' ? {} : parseExpiry(expires)),
  };
}

/** The words of an option that is given several times, or once with commas. */
function wordsOf(given: readonly string[]): readonly string[] {
  return given.flatMap((words) => words.split(',')).map((word) => word.trim());
}

async function defaultExpiry({ settings }: Installation): Promise<Pick<TokenRequest, 'expiresInSeconds'>> {
  const days = await settings.get('defaultExpiryDays');
  return days === null ? {} : { expiresInSeconds: days * DAY_SECONDS };
}

async function createAndShow(
  installation: Installation,
  request: TokenRequest,
  json: boolean,
): Promise<void> {
  const created = await installation.tokens.create(request, cliAuthor());
  const { record } = created;
  await showToken(installation, created, { about: aboutOf(record), json: json ? tokenJson(record) : null });
}

function aboutOf({ id, accountId, scopes, allowedAddresses, rateLimit, expiresAt }: TokenRecord): string {
  const owner = accountId === null ? '' : ` of the account ${printable(accountId)}`;
  const places = allowedAddresses.length === 0 ? '' : ` from ${allowedAddresses.join(', ')} alone`;
  const limit = rateLimit === null ? '' : ` with a limit of ${rateLimit} requests`;
  const expiry = expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(expiresAt)}`;
  return `Token ${id}${owner} with the scopes ${scopes.join(' ')}${places}${limit} ${expiry}.`;
}
