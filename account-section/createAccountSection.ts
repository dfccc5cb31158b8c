import type { Context } from 'koa';
import { isActor } from '../lib/audit/AuditLog';
import { type MountedSection, mountSection } from '../section/mountSection';
import { offNotice } from '../section/notices';
import { functionRule, type SectionOptions, sectionValidator } from '../section/SectionOptions';
import type { Person } from '../section/sealed';
import { AccountView } from './AccountView';
import { pages } from './pages';

/** A customer who is signed in. */
export interface SignedInAccount {
  /** The account's id, as the list of accounts has it. */
  readonly id: string | number | bigint;
  /** The customer's name for the audit trail and the pages, 1 to 128 characters. Default: the id. */
  readonly name?: string | null;
  /** The name of the administrator who acts as this customer, 1 to 128 characters. Default: none. */
  readonly by?: string | null;
}

/** What the option `account` of `createAccountSection` returns. */
export type AccountAnswer = SignedInAccount['id'] | SignedInAccount | null | undefined | false;

/** The options of `createAccountSection`. Only `api` and `account` are required. */
export interface AccountSectionOptions extends SectionOptions {
  /**
   * Returns the account of the customer who sends the request. For any value without an account the section answers 403,
   * unless the function has answered itself, for example with a redirect to a login. A value that is neither an account
   * nor empty is also noted in the log, once.
   */
  readonly account: (ctx: Context) => AccountAnswer | Promise<AccountAnswer>;
  /**
   * Whether the customer has just entered the password. It is called before the form of a new token or of a rotation is
   * shown, and again before the token is created. For any other value than `true` no token is created: the page says that
   * the customer must sign in again, unless the function has answered itself, for example with a redirect to the panel's
   * page that asks for the password. Default: it is not asked.
   */
  readonly fresh?: (ctx: Context) => boolean | Promise<boolean>;
}

/** The router of a mounted account section. */
export type AccountSection = MountedSection;

const partsOf = sectionValidator<AccountSectionOptions>('createAccountSection', 'account', {
  account: functionRule("returns the id of the customer's account"),
  fresh: functionRule('returns whether the customer has just entered the password'),
});

/**
 * Creates the account section: pages on which a customer creates, extends, rotates and revokes the tokens of the own
 * account, within the bounds of the settings. Mount it behind the panel's own login:
 * `app.use(createAccountSection({ api, account }).routes())`. It answers only its own paths; all other requests go on to the
 * panel. Throws a TypeError that names a missing, unknown or wrong option.
 */
export function createAccountSection(options: AccountSectionOptions): AccountSection {
  const parts = partsOf(options);
  return mountSection(options, parts, pages, {
    origin: 'account-section',
    ask: (ctx) => options.account(ctx),
    personOf,
    wrongAnswer: "panel-api account must return the id of the customer's account, or null",
    ...(options.fresh && { isFresh: (ctx) => options.fresh?.(ctx) }),
    viewFor: (request) => new AccountView(request),
    notices: offNotice,
  });
}

function personOf(answer: unknown): Person | null {
  const given = typeof answer === 'object' && answer !== null ? answer : { id: answer };
  const { id: accountId, name, by } = given as Readonly<Record<string, unknown>>;
  // Some panels use 0 for a person who is not signed in.
  if (!accountId) return null;
  if (typeof accountId !== 'string' && typeof accountId !== 'number' && typeof accountId !== 'bigint')
    return null;
  const actor = name || String(accountId);
  if (!isActor(actor) || (by && !isActor(by))) return null;
  return { actor, origin: 'account-section', accountId, ...(isActor(by) && { by }) };
}
