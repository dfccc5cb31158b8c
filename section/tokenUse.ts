import type { TokenProperties, TokenRecord } from '../lib/tokens/TokenRecord';
import { losesEndpoint, placesOutside, usualUse, widenedRights } from '../lib/tokens/tokenWarnings';
import { operations } from '../routes';
import { code, html, listed, type Part } from './html';
import { ifReadable, type SectionRequest } from './SectionRequest';
import { lastUse } from './tokenFacts';

/** Says how often a token is used, when last, from where and by what, before something is taken from it. */
export async function useNotice(request: SectionRequest, token: TokenRecord): Promise<Part> {
  if (!request.view.seesUse(token)) return null;
  const rows = await ifReadable(request, request.api.usage.ofToken(token.id));
  if (rows === null) return null;
  const { per, count, endpoints } = usualUse(rows);
  const by = new Intl.ListFormat(request.language).format(endpoints);
  const last = lastUse(request, token, request.relative(token.lastUsedAt));
  const words = request.words(`use.${per}`, { count, last, by });
  return html`<p class="notice${count > 0 && ' warn'}">${words}</p>`;
}

/**
 * What programs that use a token would be refused after a change of its rights, as far as that is known. `generalLimit` is
 * the rate limit of tokens without their own.
 */
export async function lossNotices(
  request: SectionRequest,
  before: TokenRecord,
  after: TokenProperties,
  generalLimit: number,
): Promise<readonly Part[]> {
  const narrowed = widenedRights(after, before, generalLimit);
  if (!request.view.seesUse(before) || narrowed.length === 0) return [];
  const read = [request.api.usage.ofToken(before.id), request.parts.seenNetworks(before.id)] as const;
  const known = await ifReadable(request, Promise.all(read));
  const [rows, networks] = known ?? [[], []];
  const used = new Set(rows.filter(({ statusClass }) => statusClass < 4).map(({ endpoint }) => endpoint));
  const endpoints = operations.filter((one) => used.has(one.name) && losesEndpoint(before, after, one));
  const places = [before.lastUsedAddress ?? [], networks].flat();
  const isUnknown = narrowed.includes('allowed_addresses') && rows.length > 0 && places.length === 0;
  const lost = {
    endpoints: endpoints.map(({ name }) => code(name)),
    addresses: placesOutside(places, before, after).map(code),
    unknown: isUnknown ? [''] : [],
    unread: known === null ? [''] : [],
  };
  const kinds = (['endpoints', 'addresses', 'unknown', 'unread'] as const).filter(
    (kind) => lost[kind].length > 0,
  );
  const notices = kinds.map(
    (kind) => html`<p class="notice warn">${request.words(`lost.${kind}`, { lost: listed(lost[kind]) })}</p>`,
  );
  const isSlowed = narrowed.includes('rate_limit') && rows.length > 0;
  return isSlowed ? [await useNotice(request, before), ...notices] : notices;
}
