import { withTimeout } from '../../lib/async/withTimeout';
import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import type { UsageTotal } from '../../lib/usage/UsageTable';
import { readSwitch, shownSwitch } from '../apiSwitch';
import { firstSteps } from '../firstSteps';
import { type Html, html } from '../html';
import { listChecks } from '../listChecks';
import { addressNotice } from '../notices';
import type { PageHandler } from '../Page';
import { pagePart, partTimeout } from '../pagePart';
import type { SectionRequest } from '../SectionRequest';
import { tokenAttention } from '../tokenAttention';
import { share } from '../usageChart';

/** The state of the API at a glance. No part of it delays or hides the others. */
export const overviewPage: PageHandler = async (request) => {
  const { tokens, usage } = request.installation;
  const unused = await firstTokens(request);
  const part = pagePart.bind(null, request);
  const parts = await Promise.all([
    unused
      ? part('steps.title', async () => firstSteps(request, await readSwitch(request), unused))
      : part('overview.switch', async () => shownSwitch(request, await readSwitch(request))),
    unused ? null : part('totals.title', async () => totals(request, await usage.totals())),
    unused?.length === 0
      ? null
      : part('attention.title', async () => tokenAttention(request, await tokens.attention())),
    part('lists.title', () => listChecks(request)),
  ]);
  return { title: request.text('overview.title'), content: html`${addressNotice(request)}${parts}` };
};

/** Switches the API on. */
export const switchOn: PageHandler = async (request) => {
  await request.sent();
  await request.installation.settings.change({ enabled: true }, request.author);
  return { goTo: '' };
};

/** How many tokens a new installation may have. */
const FEW_TOKENS = 5;

/** The tokens of an installation with few tokens, none of which was ever used; null if it is no longer new. */
async function firstTokens(request: SectionRequest): Promise<readonly TokenRecord[] | null> {
  const reading = request.installation.tokens.page({ limit: FEW_TOKENS });
  // The parts of the page say that the database fails.
  const read = await withTimeout(reading, partTimeout(request), () => new Error('late')).catch(() => null);
  if (read === null || read.next !== null) return null;
  return read.tokens.every(({ lastUsedAt }) => lastUsedAt === null) ? read.tokens : null;
}

type Totals = Readonly<Record<'day' | 'month', UsageTotal>>;

function totals(request: SectionRequest, { day, month }: Totals): Html {
  const figure = (name: keyof Totals, { requests, errors }: UsageTotal) => {
    const words =
      errors === 0
        ? request.text('totals.no_errors')
        : request.text('totals.errors', { count: errors, share: share(request, errors / requests) });
    return html`<div><dt>${request.text(`totals.${name}`)}</dt><dd><b>${request.number(requests)}</b> ${requests > 0 && words}</dd></div>`;
  };
  return html`<h2>${request.text('totals.title')}</h2>
<dl class="totals">${figure('day', day)}${figure('month', month)}</dl>`;
}
