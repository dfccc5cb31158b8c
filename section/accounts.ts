import { MOST_FOUND, type PanelAccount } from '../lib/lists/PanelAccounts';
import { type FieldProblems, field } from './field';
import { type Html, html } from './html';
import type { PageHandler } from './Page';
import type { SectionRequest } from './SectionRequest';

/** The accounts that a search finds, for the script that suggests them while a name is typed. */
export const accountsFound: PageHandler = async ({ parts, query }) => {
  const found = (await parts.panelAccounts.find((query.get('search') ?? '').trim(), 'search')) ?? [];
  return { fileName: 'accounts.json', body: [JSON.stringify(found)] };
};

/** What the check of a token's form found. */
export interface Findings {
  readonly problems: FieldProblems;
  /** The accounts to choose from, if the text means none or several. */
  readonly accounts?: readonly PanelAccount[];
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
  const { panelAccounts } = request.parts;
  const isListed = await panelAccounts.areListed();
  const [meant] = (account !== '' && !found && (await panelAccounts.find(account, 'username'))) || [];
  // A token that has the right already must show it.
  const hasOwners = owner !== '' || (await panelAccounts.haveOwners());
  const box = html`<label class="choice"><input type="checkbox" name="owner" value="yes"${owner !== '' && html` checked`}> <span>${request.text('form.owner')}</span></label>`;
  const suggest = html` list="accounts" data-suggest="${request.to('tokens/accounts.json')}"`;
  return field(request, 'account', {
    hint: request.text(isListed ? 'form.account.hint' : 'form.account.hint.id'),
    problems,
    attributes: html` value="${account}" maxlength="4000" spellcheck="false"${isListed && suggest}`,
    beside: html`${isListed && html`<datalist id="accounts"></datalist>`}${found && choices(request, found)}${meant && html`<small>${accountWords(meant)}</small>`}${hasOwners && box}`,
  });
}

export function accountWords({ id, username, holder }: PanelAccount): Html {
  return html`${username}${holder && ` (${holder})`} <span class="none">#${id}</span>`;
}

function choices(request: SectionRequest, found: readonly PanelAccount[]): Html {
  const choice = (one: PanelAccount) =>
    html`<li><button name="account_id" value="${one.id}">${accountWords(one)}</button></li>`;
  return html`<ul class="account-choices">${found.map(choice)}</ul>
${found.length >= MOST_FOUND && html`<small>${request.text('form.account.more')}</small>`}`;
}
