import { type Account, hasAccounts, MOST_FOUND, meantAccounts } from './accounts';
import type { Findings } from './checkTokenForm';
import { problemAt } from './fieldProblems';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/**
 * The field of the only account: by name or id if the panel has a list of accounts, else by id. The script suggests
 * names while one is typed. If the text means no account or several, there is a button for each.
 */
export async function accountField(
  request: SectionRequest,
  account: string,
  { problems, accounts }: Findings,
): Promise<Html> {
  const { installation } = request;
  const isListed = await hasAccounts(installation);
  const { attributes, sentence } = problemAt(problems, 'account');
  const [meant] = (account !== '' && !accounts && (await meantAccounts(installation, account))) || [];
  const suggest = html` list="accounts" data-suggest="${request.to('tokens/accounts.json')}"`;
  return html`<div class="field"><label for="account">${request.text('form.account')}</label>
<input id="account" name="account" value="${account}" maxlength="128" spellcheck="false"${attributes}${isListed ? suggest : null}>
${isListed ? html`<datalist id="accounts"></datalist>` : null}
${sentence}${accounts && choices(request, account, accounts)}${meant && html`<small>${accountWords(meant)}</small>`}
<small id="account-hint">${request.text(isListed ? 'form.account.hint' : 'form.account.hint.id')}</small></div>
`;
}

/** An account as people know it, with its id. */
export function accountWords({ id, username, holder }: Account): Html {
  return html`${username}${holder === '' ? null : ` (${holder})`} <span class="none">#${id}</span>`;
}

function choices(request: SectionRequest, search: string, accounts: readonly Account[]): Html {
  const choice = (id: string, words: Html) =>
    html`<li><button name="account_id" value="${id}">${words}</button></li>
`;
  return html`<ul class="account-choices">${accounts.map((account) => choice(account.id, accountWords(account)))}${
    accounts.some(({ id }) => id === search)
      ? null
      : choice(search, html`${request.text('form.account.as_id', { search })}`)
  }</ul>
${accounts.length >= MOST_FOUND ? html`<small>${request.text('form.account.more')}</small>` : null}`;
}
