import type { AuditEntry, TokenRecord } from '../../../index';
import { tokenHash } from '../../../lib/tokens/tokenFormat';
import { readAnswer } from '../../fixture/answer';
import { HOUR } from '../../fixture/awayFromHourEnd';
import type { TestDatabase } from '../../fixture/databases';
import { keepPage } from '../../fixture/kept';
import { AUTHOR, type HostProcess } from '../../fixture/processes/hostProcess';
import { shownToken } from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';
import type { Answer } from './answers';
import { type Account, domainOf, type Entry, type Model } from './model';
import { CLIENTS, QUESTIONS, type Step } from './steps';
import { NONE, type Outcome, type Place, WAYS } from './ways';

/** What the model does not know of a token. */
const LEFT_OUT = { prefix: undefined, readAt: undefined, accountId: undefined };
const TOKENS = 'panel_api_tokens';
const WINDOWS = 'panel_api_rate_limits';
const TIMES = ['created_at', 'expires_at', 'rotated_at', 'revoked_at'];

/** A word of each sentence with which a tool for assistants refuses. */
const REFUSALS = [
  ['scope', 'scope_missing'],
  ['exist', 'account_gone'],
  ['replaced', 'account_changed'],
  ['suspended', 'account_suspended'],
] as const;
const CALL = { method: 'tools/call', params: { name: 'panel_list', arguments: { list: 'domains' } } };
const MESSAGE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

type Logged = Readonly<Record<'request_id' | 'status' | 'error_code', unknown>>;

/** Panels in several processes over one database, and what they have sent in one life. */
export class World {
  readonly #database: TestDatabase;
  readonly #hosts: readonly HostProcess[];
  #lives = 0;
  #beganAt = 0;
  #entries: readonly AuditEntry[] = [];
  #sent: string[] = [];
  readonly #requests = new Map<string, string>();
  #printed: readonly number[] = [];

  constructor(database: TestDatabase, hosts: readonly HostProcess[]) {
    this.#database = database;
    this.#hosts = hosts;
  }

  /** Begins a life with a reseller, two customers of it, and another account. */
  async begin(settings: object): Promise<readonly Account[]> {
    const { knex } = this.#database;
    this.#lives += 1;
    const first = String(this.#lives * 10);
    const accounts = [null, first, first, null].map((ownerId, index) => {
      const id = String(Number(first) + index);
      return { id, username: `user${id}`, ownerId, createdAt: '2024-01-01T00:00:00+00:00', status: 'active' };
    });
    const [host] = this.#hosts as [HostProcess];
    await host.call('settings', 'change', settings, AUTHOR);
    for (const table of ['accounts', 'domains', TOKENS, WINDOWS]) await knex(table).delete();
    await knex('domains').insert(accounts.map(({ id }) => ({ account_id: id })));
    for (const account of accounts) await this.#write(account);
    this.#entries = await host.call('audit', 'list', { limit: 1 });
    this.#sent = [];
    this.#requests.clear();
    this.#printed = this.#hosts.map((each) => each.printed().length);
    // No time of the life is before it.
    this.#beganAt = Math.floor(Date.now() / 1000) - 2;
    return accounts;
  }

  /** Writes an account as it is now, and the name of its domain. */
  async #write({ id, username, ownerId, status, createdAt }: Account): Promise<void> {
    const domain = domainOf({ id, createdAt });
    const row = {
      id,
      username,
      status,
      owner_id: ownerId,
      created_at: createdAt.slice(0, 19).replace('T', ' '),
    };
    await this.#database.knex.transaction(async (transaction) => {
      await transaction('accounts').where({ id }).delete();
      if (status !== 'gone') await transaction('accounts').insert(row);
      await transaction('domains').where({ account_id: id }).update({ domain });
    });
  }

  /** Takes a step in the process of this number. */
  async take(step: Step, model: Model, number: number): Promise<Outcome> {
    const { knex } = this.#database;
    const host = this.#hosts[number % this.#hosts.length] as HostProcess;
    if (step.do === 'ask') return [await this.#ask(step, model, host), NONE];
    const place = { host, url: this.#database.url, beganAt: this.#beganAt, page: this.#page };
    if ('way' in step) return WAYS[step.way](step, model, place);
    const { do: action, hours } = step as Step;
    if (action === 'wait') {
      const ago = (times: readonly string[]) =>
        Object.fromEntries(times.map((time) => [time, knex.raw('?? - ?', [time, hours * HOUR])]));
      await knex(TOKENS).update(ago(TIMES));
      await knex(WINDOWS).update(ago(['window_start', 'last_used_at']));
    } else await this.#write(model.accountAfter(step));
    return [null, NONE];
  }

  /** Gets a page of the section, or sends a form. */
  readonly #page: Place['page'] = async (host, path, body) => {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const init = { method: body ? 'POST' : 'GET', headers, ...(body && { body }) };
    const response = await fetch(`${host.url}/admin/${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    keepPage(response, text, init.method);
    if (response.status >= 500) throw new Error(`${path} ${response.status}`);
    if (shownToken(text) === undefined || !body) this.#sent.push(text);
    return { status: response.status, text };
  };

  async #ask({ question, client, token }: Step, model: Model, host: HostProcess): Promise<Answer> {
    if (question === 'page') {
      const { status, text } = await this.#page(host, `tokens/${token}`);
      return [status, null, null, /class="state (\w+)"/.exec(text)?.[1]];
    }
    // A use is seen, although the last one was in the same second.
    await this.#database.knex(WINDOWS).where({ token_id: token }).decrement('last_used_at', HOUR);
    const id = `life-${this.#lives}-${this.#requests.size}`;
    this.#requests.set(id, '');
    const [address, protocol] = CLIENTS[client];
    const forwarded = protocol && { 'X-Forwarded-For': address, 'X-Forwarded-Proto': protocol };
    const headers = { Authorization: `Bearer ${model.token(token).plain}`, 'X-Request-Id': id, ...forwarded };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...CALL });
    const call = question === 'assistant' && { method: 'POST', body, headers: { ...headers, ...MESSAGE } };
    const response = await fetch(host.url + QUESTIONS[question][0], { headers, ...call });
    const { status, text, body: answer } = await readAnswer(response);
    this.#sent.push(text, JSON.stringify([...response.headers]));
    const left = /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1];
    const { error, data, result } = answer ?? {};
    const refusal = result?.isError && REFUSALS.find(([word]) => text.includes(word));
    const code = error?.code ?? refusal?.[1] ?? null;
    this.#requests.set(id, `${status} ${code}`);
    const shown = code === null ? shownIn(question, data ?? result?.structuredContent ?? text) : null;
    return [status, code, left === undefined ? null : Number(left), shown];
  }

  /** What the module has stored now, so many hours after the beginning, with times in such hours. */
  async look(now: number) {
    const [host] = this.#hosts as [HostProcess];
    const known = Number(this.#entries[0]?.id ?? 0);
    const [tokens, latest, settings, counts] = await Promise.all([
      host.call<readonly TokenRecord[]>('tokens', 'list'),
      host.call<readonly AuditEntry[]>('audit', 'list', { limit: 10 }),
      host.call<object>('settings', 'read'),
      this.#database.knex(WINDOWS),
    ]);
    const added = latest.toReversed().filter(({ id }) => id > known);
    this.#entries = [...added.toReversed(), ...this.#entries];
    const hours = (seconds: number) => Math.round((seconds - this.#beganAt) / HOUR) + now;
    const inHours = (key: string, value: unknown) => {
      if (typeof value === 'number' && /^at$|At$/.test(key)) return hours(value);
      const isTime = typeof value === 'string' && key !== 'createdAt' && /^\d{4}-\d\d-/.test(value);
      return isTime ? hours(Date.parse(value) / 1000) : value;
    };
    const hitsOf = ({ id }: TokenRecord) => Number(counts.find((one) => one.token_id === id)?.hits ?? 0);
    const seen = {
      tokens: tokens.map((token) => ({ ...token, ...LEFT_OUT, hits: hitsOf(token) })),
      entries: added.map((entry) => ({ ...entry, id: undefined })).toSorted(byToken),
      settings,
    };
    return JSON.parse(JSON.stringify(seen), inHours) as typeof seen;
  }

  /** Ends a life: each request has one line in the log, the audit trail is as it was, and no secret was sent. */
  async end(model: Model): Promise<void> {
    const printed = () =>
      this.#hosts.map((host, index) => host.printed().slice(this.#printed[index])).join('\n');
    const lines = () => printed().match(/^.*"panel-api request".*$/gm) ?? [];
    await until(() => lines().length >= this.#requests.size);
    const outcome = ({ request_id: id, status, error_code: code }: Logged) => [id, `${status} ${code}`];
    const logged = lines().map((line) => outcome(JSON.parse(line)));
    expect(logged.toSorted()).toEqual([...this.#requests].toSorted());
    const [host] = this.#hosts as [HostProcess];
    expect(await host.call('audit', 'list', { limit: this.#entries.length })).toEqual(this.#entries);
    const sent = [printed(), ...this.#sent, JSON.stringify(this.#entries)].join('\n');
    const plain = model.tokens.flatMap((token) => token.plain ?? []);
    const secrets = plain.flatMap((token) => [token, tokenHash(token).toString('hex')]);
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  }
}

/** Orders entries: those of two changes at once may alternate. */
export function byToken(one: Entry, other: Entry): number {
  return Number(one.tokenId) - Number(other.tokenId) || one.action.localeCompare(other.action);
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it expects.
function shownIn(question: Step['question'], data: any): unknown {
  if (question === 'server') return null;
  if (question === 'domains counted') return data.total;
  if (question === 'metrics') {
    const counts = [...data.matchAll(/^panel_domains\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
  }
  const { token, allowed_ips: ips, account_ids, owner, rate_limit } = data;
  if (question === 'profile')
    return [token.id, token.name, token.scopes, ips, account_ids.map(String), owner, rate_limit.limit];
  return data.items.map(({ id, domain = String(id) }: Record<string, unknown>) => domain).toSorted();
}
