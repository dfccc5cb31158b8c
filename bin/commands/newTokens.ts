import { rfc3339OfSeconds } from '../../lib/time/time';
import type { CreatedToken, Expiry, TokenRequest } from '../../lib/tokens/TokenRecord';
import type { CommandParts } from '../CommandParts';
import { parseExpiry, parsePeriod } from '../durations';
import { CommandFailure } from '../exit';
import { type Definition, type Run, withDatabaseTimeout } from '../onPanel';
import { safeLines, type Terminal } from '../Terminal';
import { creationTimeoutMs, databaseTimeoutMs } from '../timeouts';
import { existing, rightsText, tokenJson } from '../token';
import {
  accountNote,
  accountOption,
  addPropertyOptions,
  EXPIRY_FORMS,
  ownerOption,
  type PropertyOptions,
  parseRateLimit,
  propertiesOf,
  SCOPES_HELP,
  withId,
} from '../tokenOptions';

export const tokenCreate = creating<[PropertyOptions]>({
  description: 'create a token; it is shown only once',
  define: (command) =>
    command
      .requiredOption('--name <name>', 'display name of the token')
      .requiredOption(
        '--scope <scope...>',
        "scope of the token, such as domains.read, or '*' for every scope",
      )
      .option('--note <text>', 'note of at most 500 characters')
      .addOption(accountOption(' (default: all accounts)'))
      .addOption(ownerOption())
      .option(
        '--allow <address...>',
        'allowed address or network, such as 192.0.2.7 or 2001:db8::/32 (default: any address)',
      )
      .option(
        '--rate-limit <requests>',
        'maximum number of requests per window (default: the setting rate_limit_requests)',
        parseRateLimit,
      )
      .option('--expires <when>', `${EXPIRY_FORMS} (default: the setting default_expiry_days)`, parseExpiry)
      .addHelpText('after', SCOPES_HELP),
  async run(panel, run, options) {
    const { author } = run.terminal;
    await showToken(panel, run, await panel.tokens.create(propertiesOf(options) as TokenRequest, author));
    return accountNote(options, run);
  },
});

export const tokenDuplicate = creating<[id: number, PropertyOptions]>({
  description: 'create a token like this one, which may have ended; it is shown only once',
  define: (command) =>
    addPropertyOptions(
      withId(command),
      ' (default: the new token lives as long as the original was meant to)',
    ),
  async run(panel, run, id, options) {
    const { author } = run.terminal;
    const created = existing(id, await panel.tokens.duplicate(id, propertiesOf(options), author));
    await showToken(panel, run, created);
    return accountNote(options, run);
  },
});

export const tokenRotate = creating<[id: number, { readonly grace: string; readonly expires?: Expiry }]>({
  description: 'replace a token with a new one that has the same rights; the new token is shown only once',
  define: (command) =>
    withId(command)
      .option('--grace <duration>', 'how long the old token stays valid: 30m, 12h, 7d, from 5m to 30d', '24h')
      .option(
        '--expires <when>',
        `expiry of the new token: ${EXPIRY_FORMS} (default: the expiry of the old one)`,
        parseExpiry,
      ),
  validate: (_terminal, _id, { grace }) => void secondsOf(grace),
  async run(panel, run, id, { grace, expires }) {
    const request = { graceSeconds: secondsOf(grace), ...expires };
    const rotated = existing(id, await panel.tokens.rotate(id, request, run.terminal.author));
    const { record, previous } = rotated;
    const end = rfc3339OfSeconds(previous.expiresAt);
    return showToken(panel, run, rotated, {
      about: `Token ${record.id} replaces token ${id}, which is valid until ${end}.`,
      json: { previous: tokenJson(previous) },
      unlessShown: `Token ${id} is valid until ${end}: run panel-api token extend ${id} to keep it.`,
    });
  },
});

/** Parses a grace. The refusal of 0 says what to do instead. */
function secondsOf(grace: string): number {
  return grace === '0' ? 0 : parsePeriod(grace);
}

interface Shown {
  /** Further output for people, without line ends. Default: what the token may do. */
  readonly about?: string;
  /** Further output for scripts. */
  readonly json?: object;
  /** A sentence to add to the failure if the token could not be shown. */
  readonly unlessShown?: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A command that creates a token only if standard output can show it. Signals cannot interrupt it. */
function creating<Args extends readonly unknown[]>(definition: Definition<Args>): Definition<Args> {
  return {
    ...definition,
    timeoutMs: creationTimeoutMs,
    validate(terminal, ...args) {
      if (!terminal.io.stdout.isDiscarded) return definition.validate?.(terminal, ...args);
      const sentence = 'Standard output is closed or /dev/null, so the new token would be lost.';
      throw new CommandFailure('output', sentence);
    },
    async run(panel, run, ...args) {
      const ignore = () => undefined;
      for (const signal of SIGNALS) process.on(signal, ignore);
      try {
        return await definition.run(panel, run, ...args);
      } finally {
        for (const signal of SIGNALS) process.off(signal, ignore);
      }
    },
  };
}

/** Shows a new token. If that fails, revokes it and throws a CommandFailure. */
async function showToken(
  { tokens }: CommandParts,
  { terminal, global }: Run,
  { token, record }: CreatedToken,
  { about = rightsText(record), json, unlessShown = '' }: Shown = {},
): Promise<undefined> {
  try {
    if (global.json) terminal.printJson({ token, ...tokenJson(record), ...json }, 'must read');
    else printToken(token, about, terminal);
  } catch {
    const revoking = tokens.revoke(record.id, terminal.author);
    const revoked = await withDatabaseTimeout(revoking, databaseTimeoutMs).catch(() => null);
    const end = revoked
      ? 'It was revoked.'
      : `It could not be revoked either: run panel-api token revoke ${record.id}.`;
    throw new CommandFailure('output', `The new token could not be shown. ${end} ${unlessShown}`.trim());
  }
}

function printToken(token: string, about: string, terminal: Terminal): void {
  const warning = 'Store the token now: it cannot be shown again.';
  if (terminal.screen.width !== null) {
    terminal.print(safeLines(`${token}\n\n${about}\n${warning}`), 'must read');
  } else {
    // Scripts read the token and nothing else.
    terminal.print(token, 'must read');
    terminal.note(`${about} ${warning}`);
  }
}
