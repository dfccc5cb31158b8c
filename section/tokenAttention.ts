import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { TokenAttention, TokenGroup } from '../lib/tokens/tokenFilters';
import { type Html, html } from './html';
import type { SectionRequest } from './SectionRequest';

/** How many tokens of each kind the overview names. */
const MOST_NAMED = 5;

/** The kinds in the order of their urgency, each with the filter of the list that contains all of its tokens. */
const FILTERS = {
  expiring: 'expiring',
  expired: 'ended',
  unused: 'unused',
  unlimited: 'active',
} as const satisfies Readonly<Record<keyof TokenAttention, string>>;

const KINDS = Object.keys(FILTERS) as readonly (keyof TokenAttention)[];

/** The tokens that an administrator should see, by the reason. */
export function tokenAttention(request: SectionRequest, attention: TokenAttention): Html {
  const kinds = KINDS.filter((kind) => attention[kind].count > 0);
  return html`<h2>${request.text('attention.title')}</h2>
${kinds.length === 0 ? html`<p>${request.text('attention.none')}</p>` : null}
<div class="attention">${kinds.map((kind) => tokenGroup(request, kind, attention[kind]))}</div>`;
}

function tokenGroup(request: SectionRequest, kind: keyof TokenAttention, group: TokenGroup): Html {
  const named = group.tokens.slice(0, MOST_NAMED);
  const rest = group.count - named.length;
  const more = html`<li><a href="${request.to(`tokens?filter=${FILTERS[kind]}`)}">${request.text('attention.more', { count: rest })}</a></li>`;
  const items = named.map(
    (
      token,
    ) => html`<li><a href="${request.to(`tokens/${token.id}`)}">${token.name}</a> <small>#${token.id}</small> <span class="when">${timeOf(request, kind, token)}</span></li>
`,
  );
  return html`<section class="${kind}"><h3>${request.text(`attention.${kind}`, { count: group.count })}</h3>
<ul>${items}${rest > 0 ? more : null}</ul></section>`;
}

/** The time that the reason is about. */
function timeOf(request: SectionRequest, kind: keyof TokenAttention, token: TokenRecord): Html {
  const { createdAt, expiresAt, lastUsedAt } = token;
  if (kind === 'expiring' || kind === 'expired') return request.relative(expiresAt);
  const words = kind === 'unlimited' ? 'created' : lastUsedAt === null ? 'never_used' : 'used';
  const time = request.relative(words === 'used' ? lastUsedAt : createdAt);
  return request.words(`attention.time.${words}`, { time });
}
