import { isatty } from 'node:tty';
import type { Command } from 'commander';
import type { Installation } from '../../lib/Installation';
import { scopesOf } from '../../lib/operations/OperationFacts';
import { printable } from '../../lib/text/printable';
import { rfc3339OfSeconds } from '../../lib/time/rfc3339';
import type { TokenRequest } from '../../lib/tokens/checkTokenRequest';
import type { CreatedToken } from '../../lib/tokens/makeToken';
import { operations } from '../../routes';
import { CommandFailure } from '../CommandFailure';
import { cliAuthor } from '../cliAuthor';
import { holdSignals } from '../holdSignals';
import { inTime } from '../inTime';
import { isDiscarded } from '../isDiscarded';
import { parseExpiry } from '../parseExpiry';
import { patienceMs } from '../patience';
import { print, printJson, printNote } from '../print';
import { tokenJson } from '../tokenJson';
import { withInstallation } from '../withInstallation';

const DAY_SECONDS = 86_400;

interface CreateOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly account?: string;
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
      '--expires <when>',
      '30m, 12h, 90d, 2w, 1y, a date, a date and time, or never; without it, what the setting default_expiry_days says',
    )
    .addHelpText('after', `\nScopes: ${scopesOf(operations).join(', ')}`)
    .action(create);
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const request = readRequest(options);
  if (isDiscarded())
    throw new CommandFailure('output', 'Standard output goes nowhere: nobody would see the token.');
  await withInstallation(command, {
    tables: true,
    // Time enough to revoke it again.
    patience: 2 * patienceMs,
    async run(installation, json) {
      const expiry = options.expires === undefined ? await defaultExpiry(installation) : {};
      await holdSignals(() => createAndShow(installation, { ...request, ...expiry }, json));
    },
  });
}

function readRequest({ name, scope, account, expires }: CreateOptions): TokenRequest {
  const scopes = scope.flatMap((words) => words.split(',')).map((word) => word.trim());
  return {
    name,
    scopes,
    ...(account === undefined ? {} : { accountId: account }),
    ...(expires === undefined || expires === 'never' ? {} : parseExpiry(expires)),
  };
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
  const created = await inTime(installation.tokens.create(request, cliAuthor()), patienceMs);
  try {
    show(created, json);
  } catch {
    await takeBack(installation, created);
  }
}

function show({ token, record }: CreatedToken, json: boolean): void {
  const expiry =
    record.expiresAt === null ? 'never expires' : `expires at ${rfc3339OfSeconds(record.expiresAt)}`;
  const owner = record.accountId === null ? '' : ` of the account ${printable(record.accountId)}`;
  const about = `Token ${record.id}${owner} with the scopes ${record.scopes.join(' ')} ${expiry}.`;
  const warning = 'It is shown this once and cannot be shown again.';
  if (json) printJson({ token, ...tokenJson(record) });
  else if (isatty(1)) print(`${token}\n\n${about}\n${warning}`);
  else {
    // A script gets the token and nothing else.
    print(token);
    printNote(`${about} ${warning}`);
  }
}

async function takeBack({ tokens }: Installation, { record }: CreatedToken): Promise<never> {
  const revoked = await inTime(tokens.revoke(record.id, cliAuthor()), patienceMs).catch(() => null);
  const end = revoked
    ? 'It was revoked.'
    : `It could not be revoked either: panel-api token revoke ${record.id} does it.`;
  throw new CommandFailure('output', `The token could not be shown. ${end}`);
}
