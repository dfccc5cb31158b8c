import { EVERY_SCOPE } from '../lib/fields/Operation';
import { toJson } from '../lib/json/json';
import type { AccessPreview } from '../lib/lists/previewAccess';
import type { TokenProperties } from '../lib/tokens/TokenRecord';
import { accountWords } from './accounts';
import { code, type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { table } from './table';
import type { TextKey } from './texts';
import { accountLinks, factList, rateText } from './tokenFacts';

/** How long a page counts rows, in milliseconds. What is not counted by then is named without a number. */
export const COUNT_MS = 1000;

/** The rows of each list that are shown. */
const SHOWN_ROWS = 3;

/**
 * What a token that is to be created will read; with `showsRows`, also the first rows of each list. A narrow section shows
 * one line of it, which opens.
 */
export async function tokenSummary(request: SectionRequest, token: TokenProperties, showsRows: boolean) {
  const { parts } = request;
  const hasEveryScope = token.scopes.includes(EVERY_SCOPE);
  const warning = (name: 'wildcard' | 'everlasting') =>
    html`<p class="notice warn">${request.text(`summary.${name}`)}</p>`;
  const limitMs = showsRows ? parts.options.deadlineMs : COUNT_MS;
  const previews = await parts.previewAccess(token, limitMs, showsRows ? SHOWN_ROWS : 0);
  const of = (...states: AccessPreview['state'][]) => previews.filter(({ state }) => states.includes(state));
  const without = (state: 'forbidden' | 'missing') => {
    const lists = listed(of(state).map(titleOf.bind(null, request)));
    return of(state).length > 0 && html`<small>${request.words(`summary.${state}`, { lists })}</small>`;
  };
  const counted = (preview: AccessPreview) =>
    html`${titleOf(request, preview)}${preview.items !== null && html` <b>${request.number(preview.items)}</b>`}`;
  const scopes = hasEveryScope
    ? request.text('warning.wildcard')
    : request.text('summary.scopes', { count: token.scopes.length });
  const time = request.relative(token.expiresAt);
  return html`<details class="whole"${showsRows && html` open`}><summary>${request.words('summary.line', { name: token.name, scopes, time })}</summary>
${hasEveryScope && warning('wildcard')}${token.expiresAt === null && warning('everlasting')}
${factList(request, {
  'token.name': token.name,
  'summary.reads': html`${hasEveryScope && html`<b>${request.text('form.everything')}</b>: `}${listed(of('counted', 'object', 'failed').map(counted))} ${without('forbidden')} ${without('missing')}`,
  'summary.of': await accountNames(request, token),
  'summary.from':
    token.allowedAddresses.length > 0
      ? listed(token.allowedAddresses.map(code))
      : request.text('summary.from.anywhere'),
  'summary.rate': await rateText(request, token.rateLimit),
  'token.expires': request.relativeAndExact(token.expiresAt),
})}${showsRows && (await firstRows(request, token, previews))}</details>`;
}

/** The first rows of each list. The audit trail records that they are shown. */
async function firstRows(
  request: SectionRequest,
  { accountId }: TokenProperties,
  previews: readonly AccessPreview[],
): Promise<Html> {
  const withRows = previews.filter(({ first }) => first.length > 0);
  if (withRows.length === 0) return html`<p>${request.text('summary.first.none')}</p>`;
  const lists = withRows.map(({ operation }) => operation.name);
  await request.api.audit.recordShown(request.author, { lists, account_id: accountId });
  return html`<h2>${request.text('summary.first')}</h2>
${withRows.map((preview) => html`<details><summary>${titleOf(request, preview)}</summary>${rowTable(request, preview)}</details>`)}`;
}

/** Rows, one beside the other, or below it on a narrow screen, without fields that none has. */
function rowTable(request: SectionRequest, { first }: AccessPreview): Html {
  const names = Object.keys(first[0] ?? {}).filter((name) => first.some((row) => row[name] !== null));
  return table(request, names, [
    ['summary.field', code, 'heading'],
    ...first.map((row, index) => [index + 1, (name: string) => shownValue(row[name])] as const),
  ]);
}

const LONGEST_VALUE = 200;

function shownValue(value: unknown): string {
  if (value === null) return '–';
  const text = typeof value === 'string' ? value : toJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function titleOf(request: SectionRequest, { operation: { name } }: AccessPreview): string {
  return request.text(`endpoint.${name}` as TextKey & `endpoint.${string}`);
}

/** The accounts of the token; one with its name, if there is a list to find it in. */
async function accountNames(request: SectionRequest, token: TokenProperties): Promise<Part> {
  const [bound, ...others] = token.accounts;
  if (!bound) return request.text('summary.of.all');
  if (others.length > 0 || token.owner) return accountLinks(request, token);
  const found = await request.parts.panelAccounts.find(bound.id, 'username');
  const account = found?.find(({ id }) => id === bound.id);
  return account ? accountWords(account) : accountLinks(request, token);
}
