import { Option } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { printable } from '../../lib/errors/printable';
import { grants } from '../../lib/fields/Operation';
import { DAY_SECONDS } from '../../lib/time/time';
import { MOST_FOUND, tokensWithin } from '../../lib/tokens/findTokens';
import type { Expiry, TokenRecord } from '../../lib/tokens/TokenRecord';
import { continuedLines, isExpiring, isUnused, leftOver } from '../../lib/tokens/tokenWarnings';
import { confirm } from '../confirm';
import { parseExpiry, parsePeriod } from '../durations';
import { CommandFailure } from '../exit';
import type { Definition } from '../onPanel';
import { SafeText, safeLines, type Terminal } from '../Terminal';
import { formatFacts, formatTable } from '../table';
import { existing, expiryText, tokenColumns, tokenFacts, tokenJson, useText } from '../token';
import {
  accountNote,
  addPropertyOptions,
  EXPIRY_FORMS,
  type PropertyOptions,
  propertiesOf,
  SCOPES,
  withId,
} from '../tokenOptions';

const STATES = ['active', 'expired', 'revoked'] as const;

interface ListOptions {
  readonly state?: (typeof STATES)[number];
  /** In seconds. */
  readonly expiring?: number;
  readonly silent?: true;
  readonly unused?: number;
  readonly scope?: string;
  readonly account?: string;
}

export const tokenList: Definition<[ListOptions]> = {
  description: 'list tokens, the newest first',
  define: (command) =>
    command
      .addOption(new Option('--state <state>', 'only tokens in this state').choices(STATES))
      .addOption(
        new Option(
          '--expiring [duration]',
          'only active tokens that expire within this time, live more than twice as long, and are not replaced',
        )
          .preset('14d')
          .argParser(parsePeriod),
      )
      .option('--silent', 'only active tokens that were used regularly, and are unused for longer than usual')
      .addOption(
        new Option('--unused [duration]', 'only active tokens that were not used for this time')
          .preset('90d')
          .argParser(parsePeriod),
      )
      .option('--scope <scope>', 'only tokens that may read this: they have the scope, or *')
      .option('--account <id>', 'only tokens that are bound to this account, alone or among several'),
  async run({ tokens }, { terminal }, options) {
    const { scope } = options;
    if (scope !== undefined && !SCOPES.includes(scope))
      throw new InvalidInput('scope', `The scope must be one of ${SCOPES.join(', ')}.`);
    const all = await tokens.list();
    const continued = continuedLines(all);
    const silent = options.silent && (await tokens.silentIds());
    const found = all.filter(
      (record) => matches(record, options, continued) && (silent?.has(record.id) ?? true),
    );
    const nothing = all.length === 0 ? 'There are no tokens.' : 'No token matches.';
    // Monitoring systems read the exit code of a search for tokens that need attention.
    const isAlert = found.length > 0 && (options.expiring ?? options.silent ?? options.unused) !== undefined;
    const sentence = found.length === 1 ? '1 token was found.' : `${found.length} tokens were found.`;
    return {
      json: found.map(tokenJson),
      text: found.length === 0 ? nothing : formatTable(found, tokenColumns, terminal.screen),
      ...(isAlert && { failure: new CommandFailure('found', sentence) }),
    };
  },
};

function matches(
  record: TokenRecord,
  { state, expiring, unused, scope, account }: ListOptions,
  continued: ReadonlySet<number>,
): boolean {
  const isReplaced = record.rotatedAt !== null && continued.has(record.lineage);
  return (
    (state === undefined || record.state === state) &&
    (expiring === undefined || isExpiring(record, expiring, isReplaced)) &&
    (unused === undefined || isUnused(record, unused)) &&
    (scope === undefined || grants(record.scopes, { scope })) &&
    (account === undefined || record.accounts.some(({ id }) => id === account))
  );
}

export const tokenShow: Definition<[id: number]> = {
  description: 'show one token',
  define: withId,
  async run({ tokens, refusedAccounts }, { terminal: { screen } }, id) {
    const record = existing(id, await tokens.get(id));
    const refused = await refusedAccounts(record);
    const refusals = refused.map(({ id: account, refusal }) => `${printable(account)}: ${refusal}`);
    const facts = { ...tokenFacts(record, screen), refused: refusals.join(', ') || '-' };
    return { json: { ...tokenJson(record), refused_accounts: refused }, text: formatFacts(facts, screen) };
  },
};

export const tokenFind: Definition = {
  description: 'show which tokens a text on standard input contains',
  input: readTokens,
  async run({ tokens }, { input, terminal: { screen } }) {
    const found = await tokens.findAll(input);
    if (found.length === 0)
      throw new CommandFailure('missing', 'No token in the text belongs to this panel.');
    const facts = found.map((record) => formatFacts(tokenFacts(record, screen), screen).text);
    const ends = found.flatMap(({ id, state }) =>
      state === 'active' ? `To end token ${id}: panel-api token revoke ${id}` : [],
    );
    const note = ends.length === 0 ? undefined : safeLines(ends.join('\n'));
    return { json: found.map(tokenJson), text: new SafeText(facts.join('\n\n')), note };
  },
};

/** How much of a piece of standard input is searched again with the next one: a token with what is within it. */
const LONGEST_WRITTEN = 4096;

/**
 * Returns the tokens in one line that is typed on a terminal, or in a file, of which only a piece is in memory. An argument
 * would be in the list of processes.
 */
async function readTokens(terminal: Terminal): Promise<string> {
  const { stdin } = terminal.io;
  if (stdin.isTTY) terminal.note('Paste the token, and press Enter.');
  const found = new Set<string>();
  let text = '';
  for await (const piece of stdin) {
    text = text.slice(-LONGEST_WRITTEN) + piece;
    for (const token of tokensWithin(text)) found.add(token);
    if (found.size > MOST_FOUND || (stdin.isTTY && text.includes('\n'))) break;
  }
  return [...found].join(' ');
}

export const tokenEdit: Definition<[id: number, PropertyOptions]> = {
  description: 'change properties of an active token; the others stay as they are',
  define: (command) => addPropertyOptions(withId(command), ''),
  validate(_terminal, _id, options) {
    if (Object.keys(propertiesOf(options)).length === 0)
      throw new InvalidInput('request', 'Name at least one property to change, such as --name.');
  },
  async run({ tokens }, run, id, options) {
    const { author, screen } = run.terminal;
    const changed = existing(id, await tokens.update(id, propertiesOf(options), author));
    accountNote(options, run);
    return { json: tokenJson(changed), text: formatFacts(tokenFacts(changed, screen), screen) };
  },
};

export const tokenExtend: Definition<[id: number, { readonly expires?: Expiry }]> = {
  description: 'give an active token a later expiry',
  define: (command) =>
    withId(command).option(
      '--expires <when>',
      `${EXPIRY_FORMS}; a duration counts from now (default: the setting default_expiry_days)`,
      parseExpiry,
    ),
  async run({ tokens, settings }, { terminal }, id, options) {
    const { usual: days } = await settings.tokenLife();
    const usual = days === null ? { expiresAt: null } : { expiresInSeconds: days * DAY_SECONDS };
    const record = existing(id, await tokens.extend(id, options.expires ?? usual, terminal.author));
    return { json: tokenJson(record), text: `Token ${id} (${record.name}) ${expiryText(record)}.` };
  },
};

export const tokenRevoke: Definition<[id: number, { readonly yes?: true }]> = {
  description: 'revoke a token permanently',
  define: (command) => withId(command).option('--yes', 'do not ask for confirmation'),
  async ask({ tokens, usage }, { terminal }, id, { yes }) {
    if (!terminal.io.stdin.isTTY || yes) return;
    const use = useText(existing(id, await tokens.get(id)), await usage.ofToken(id));
    await confirm(terminal, `${use} This revokes it permanently.`, 'Nothing was changed.');
  },
  async run({ tokens }, { terminal }, id) {
    const record = existing(id, await tokens.revoke(id, terminal.author));
    const left = leftOver(await tokens.lineage(id));
    const text = `Token ${id} (${record.name}) is revoked.`;
    if (!left) return { json: tokenJson(record), text };
    const alone = `Token ${left.id}, which was rotated, is the only one of its lineage that is left.`;
    const end = `It ${expiryText(left)}: extend it, or create another token.`;
    return { json: tokenJson(record), text: `${text} ${alone} ${end}` };
  },
};
