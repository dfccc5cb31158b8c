import { html } from '../section/html';
import type { PageHandler } from '../section/Page';
import { tokenTable } from '../section/tokenTable';
import { viewOf } from './AccountView';

/** The tokens of the account, and how many more the customer may create. */
export const tokensPage: PageHandler = async (request) => {
  const { tokens, bounds, active, refusal } = await viewOf(request).customer();
  const requests = await request.api.usage.sums({ ids: tokens.map(({ id }) => id) });
  const used = request.text('account.used', { active, count: bounds.customerTokens });
  return {
    title: request.text('nav.tokens'),
    subtitle: html`${request.text('account.lead')}`,
    actions: refusal
      ? null
      : html`<a class="button primary" href="${request.to('tokens/new')}">${request.text('new.title')}</a>`,
    hasNotices: true,
    content: html`${refusal && html`<p class="notice warn">${request.text(`account.${refusal}`)}</p>`}
${tokens.length === 0 ? html`<p class="card">${request.text('account.none')}</p>` : tokenTable(request, tokens, requests)}
${bounds.scopes.length > 0 && html`<p><small>${used}</small></p>`}`,
  };
};
