import { Cancellation } from '../lib/async/Cancellation';
import { withTimeout } from '../lib/async/withTimeout';
import type { Installation } from '../lib/Installation';
import { findList, servedReport } from '../lib/lists/findList';
import { readInPlace, readList } from '../lib/lists/readList';
import { parseSearch } from '../lib/lists/search';
import { EVERY_ROW, type Row, type SourceReport } from '../lib/sources/Source';
import { accounts } from '../routes/accounts';
import { type FieldProblems, field } from './field';
import { type Html, html } from './html';
import type { PageHandler } from './Page';
import type { SectionRequest } from './SectionRequest';

export interface Account {
  readonly id: string;
  readonly username: string;
  /** The person or company that holds the account; empty if it is unknown. */
  readonly holder: string;
}

const MOST_FOUND = 20;

/** How long a page waits for the panel's list, in milliseconds. */
const TIMEOUT_MS = 2000;

/**
 * The accounts of this id, and those of exactly this login name or, in a search, whose names begin with the text. Null if
 * the list cannot be read.
 */
export async function findAccounts(
  { checks, sources }: Installation,
  text: string,
  by: 'search' | 'username',
): Promise<readonly Account[] | null> {
  const end = Cancellation.after(TIMEOUT_MS);
  const both = async () => {
    const { source, report, own } = await findList(sources, accounts, null);
    const read = async (what: 'id' | typeof by) => {
      const asked = queryFor(what, text, report);
      if (!asked) return [];
      const page = { after: null, limit: MOST_FOUND };
      const query = { ...EVERY_ROW, ...asked, fields: null, figures: null, page };
      const list = { resource: accounts.name, source, own, query, end };
      const { items } = await readInPlace(checks, list, (run) => readList(list, run, (rows) => rows.page()));
      return items.map(accountOf);
    };
    return [...(await read('id')), ...(await read(by)).filter(({ id }) => id !== text)];
  };
  return withTimeout(both(), TIMEOUT_MS).catch(() => null);
}

function accountOf({ id, username, name }: Row): Account {
  return { id: String(id), username: String(username), holder: String(name ?? '') };
}

/** Null if the list cannot be asked that. */
function queryFor(what: 'id' | 'username' | 'search', text: string, report: SourceReport) {
  if (what !== 'search')
    return report.filters.includes(what) ? { filters: new Map([[what, new Set([text])]]) } : null;
  if (text === '') return {};
  return report.searchable.length > 0 ? { search: parseSearch(text, accounts.fields, report) } : null;
}

/** Whether the panel serves a list of accounts. A read of it may fail all the same. */
export async function hasAccountList({ sources }: Installation): Promise<boolean> {
  return (await servedReport(sources.get(accounts.name)).catch(() => null)) !== null;
}

/** The accounts that a search finds, for the script that suggests them while a name is typed. */
export const accountsFound: PageHandler = async ({ installation, query }) => {
  const found = (await findAccounts(installation, (query.get('search') ?? '').trim(), 'search')) ?? [];
  return { fileName: 'accounts.json', body: [JSON.stringify(found)] };
};

/** What the check of a token's form found. */
export interface Findings {
  readonly problems: FieldProblems;
  /** The accounts to choose from, if the text means none or several. */
  readonly accounts?: readonly Account[];
}

/**
 * The field of the only account: by name or id if the panel has a list of accounts, else by id. The script suggests
 * names while one is typed. If the text means no account or several, there is a button for each.
 */
export async function accountField(
  request: SectionRequest,
  { account, owner }: Readonly<Record<'account' | 'owner', string>>,
  { problems, accounts: found }: Findings,
): Promise<Html> {
  const { installation } = request;
  const isListed = await hasAccountList(installation);
  const [meant] = (account !== '' && !found && (await findAccounts(installation, account, 'username'))) || [];
  // A token that has the right already must show it.
  const hasOwners = owner !== '' || (await installation.accounts.hasOwners().catch(() => false));
  const box = html`<label class="choice"><input type="checkbox" name="owner" value="yes"${owner !== '' && html` checked`}> <span>${request.text('form.owner')}</span></label>`;
  const suggest = html` list="accounts" data-suggest="${request.to('tokens/accounts.json')}"`;
  return field(request, 'account', {
    hint: request.text(isListed ? 'form.account.hint' : 'form.account.hint.id'),
    problems,
    attributes: html` value="${account}" maxlength="4000" spellcheck="false"${isListed && suggest}`,
    beside: html`${isListed && html`<datalist id="accounts"></datalist>`}${found && choices(request, found)}${meant && html`<small>${accountWords(meant)}</small>`}${hasOwners && box}`,
  });
}

export function accountWords({ id, username, holder }: Account): Html {
  return html`${username}${holder && ` (${holder})`} <span class="none">#${id}</span>`;
}

function choices(request: SectionRequest, found: readonly Account[]): Html {
  const choice = (one: Account) =>
    html`<li><button name="account_id" value="${one.id}">${accountWords(one)}</button></li>`;
  return html`<ul class="account-choices">${found.map(choice)}</ul>
${found.length >= MOST_FOUND && html`<small>${request.text('form.account.more')}</small>`}`;
}
