import { type Account, domainOf, type Model, type Token } from './model';
import { CLIENTS, QUESTIONS, type Step } from './steps';

export type Answer = readonly [status: number, code: string | null, left: number | null, shown: unknown];

/** A status, a code and what is shown. */
type Read = readonly [number, string | null, unknown];

/** What a request must get, which the model counts. */
export function answerOf(model: Model, { token: id, question, client }: Step): Answer {
  const token = model.token(id);
  const { settings, now } = model;
  const [address, protocol] = CLIENTS[client];
  const refused = (status: number, code: string): Answer => [status, code, null, null];
  const isAllowed = (one: string) => one === address || one.startsWith(address.replace(/\d+$/, '0/'));
  if (question === 'page') return [200, null, null, model.state(token)];
  // The last use is put an hour back before.
  model.put(token, { lastUsedAt: token.lastUsedAt === null ? null : token.lastUsedAt - 1 });
  if (!settings.enabled || (question === 'assistant' && !settings.assistantsEnabled))
    return refused(503, 'api_disabled');
  if (protocol === 'http' && settings.httpsRequired) return refused(403, 'https_required');
  if (model.state(token) !== 'active') return refused(401, `token_${model.state(token)}`);
  const { allowedAddresses, countedAt } = token;
  if (allowedAddresses.length > 0 && !allowedAddresses.some(isAllowed)) return refused(403, 'ip_not_allowed');
  const hits = countedAt === now ? token.hits + 1 : 1;
  const lastUsedAddress = settings.lastUsedAddress ? address : null;
  model.put(token, { hits, countedAt: now, lastUsedAt: now, lastUsedAddress });
  const limit = token.rateLimit ?? settings.rateLimitRequests;
  const left = Math.max(0, limit - hits);
  const [status, code, shown] =
    hits > limit ? [429, 'rate_limited', null] : read(model, token, question, limit);
  // A tool says in its answer why it reads nothing.
  return [question === 'assistant' && status !== 429 ? 200 : status, code, left, shown];
}

function read(model: Model, token: Token, question: Step['question'], limit: number): Read {
  const { id, name, scopes, allowedAddresses, accounts, owner } = token;
  const [, needed] = QUESTIONS[question];
  const granted = needed.split(' ').filter((scope) => ['*', scope].some((one) => scopes.includes(one)));
  if (question === 'nothing') return [404, 'not_found', null];
  if (granted.length === 0) return [403, 'scope_missing', null];
  const isServers = question === 'server' || (question === 'metrics' && granted.join() === 'platform.read');
  if (question === 'server' && accounts.length > 0) return [403, 'account_forbidden', null];
  if (question === 'domains, wrongly') return [400, 'query_invalid', null];
  const readable = accountsOf(model, token);
  if (typeof readable === 'string') return [403, readable, null];
  if (isServers && accounts.length > 0) return [403, 'account_forbidden', null];
  const domains = readable.map(domainOf);
  const shown: Partial<Record<Step['question'], unknown>> = {
    domains,
    assistant: domains,
    'domains counted': domains.length,
    metrics: granted.includes('domains.read') ? domains.length : null,
    accounts: readable.filter(({ status }) => status !== 'gone').map((one) => one.id),
    profile: [id, name, scopes, allowedAddresses, accounts.map((one) => one.id), owner, limit],
  };
  return [200, null, shown[question] ?? null];
}

/** The accounts whose rows a token reads, or why it reads none. */
function accountsOf(model: Model, { accounts, owner }: Token): readonly Account[] | string {
  const { accounts: all, settings } = model;
  if (accounts.length === 0) return all;
  const refusals = accounts.map(({ id, createdAt }) => {
    const account = all.find((one) => one.id === id);
    if (account?.status === 'gone') return 'account_gone';
    if (account?.createdAt !== createdAt) return 'account_changed';
    const isRefused = account.status === 'suspended' && settings.suspendedAccounts === 'refuse';
    return isRefused ? 'account_suspended' : null;
  });
  const served = accounts.filter((_, index) => refusals[index] === null).map(({ id }) => id);
  const isOwned = ({ ownerId, status }: Account) =>
    owner && status !== 'gone' && served.includes(String(ownerId));
  if (served.length === 0) return String(refusals[0]);
  return all.filter((one) => served.includes(one.id) || isOwned(one));
}
