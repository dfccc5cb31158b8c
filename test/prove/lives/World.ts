import { userInfo } from 'node:os';
import type { AuditEntry, CreatedToken, TokenPage } from '../../../index';
import { tokenHash } from '../../../lib/tokens/tokenFormat';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { panelApiHere } from '../../fixture/command/panelApi';
import type { TestDatabase } from '../../fixture/databases';
import { AUTHOR, type HostProcess } from '../../fixture/processes/hostProcess';
import { hiddenFields, shownToken } from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';
import {
  type Account,
  type Answer,
  type Created,
  domainOf,
  FORM_DAYS,
  type Model,
  type Result,
  storedName,
} from './model';
import { CLIENTS, daysOf, QUESTIONS, type Step } from './steps';

/** The actors of changes, by their way. */
export const ACTORS = { panel: AUTHOR.actor, 'api-section': 'ann', cli: userInfo().username };

/** What a step has led to, with the token that it has created. */
export type Outcome = readonly [Result, Created];

const NONE: Created = { id: 0, plain: null };
const TIMES = ['created_at', 'expires_at', 'rotated_at', 'revoked_at', 'last_used_at'];

/** Options of the command, and fields of forms, by the property. */
const WORDS: Readonly<Record<string, readonly [option: string, none: string, field: string]>> = {
  name: ['--name', '', 'name'],
  note: ['--note', '--note=', 'note'],
  scopes: ['--scope', '', 'scope'],
  accounts: ['--account', '--any-account', 'account'],
  allowedAddresses: ['--allow', '--any-address', 'addresses'],
  rateLimit: ['--rate-limit', '--default-rate-limit', 'rate_limit'],
};

/** The sentences with which a tool for assistants refuses. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/lacks the scope/, 'scope_missing'],
  [/does not exist any more/, 'account_gone'],
  [/was replaced by another/, 'account_changed'],
  [/is suspended/, 'account_suspended'],
];
const CALL = { method: 'tools/call', params: { name: 'panel_list', arguments: { list: 'domains' } } };
const MESSAGE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Panels in several processes over one database, and what they have sent in one life. */
export class World {
  readonly #database: TestDatabase;
  readonly #hosts: readonly HostProcess[];
  #lives = 0;
  #beganAt = 0;
  #lastToken = 0;
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
    const ids = [0, 1, 2, 3].map((index) => String(this.#lives * 10 + index));
    const since = { createdAt: '2024-01-01T00:00:00+00:00', status: 'active' };
    const ownerId = (index: number) => (index === 1 || index === 2 ? String(ids[0]) : null);
    const accounts = ids.map((id, index) => ({
      id,
      username: `user${id}`,
      ownerId: ownerId(index),
      ...since,
    }));
    for (const table of ['accounts', 'domains']) await knex(table).delete();
    await knex('domains').insert(ids.map((id) => ({ account_id: id })));
    for (const account of accounts) await this.#write(account);
    const [host] = this.#hosts as [HostProcess];
    await host.call('settings', 'change', settings, AUTHOR);
    this.#entries = await host.call('audit', 'list', { limit: 1 });
    this.#lastToken = (await host.call<TokenPage>('tokens', 'page', { limit: 1 })).tokens[0]?.id ?? 0;
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
    if (step.way === 'panel') return this.#byApi(step, model, host);
    if (step.way === 'cli') return this.#byCommand(step, model);
    if (step.way === 'api-section') return this.#byForm(step, model, host);
    if (step.do === 'wait') {
      const ago = TIMES.map((time) => [time, knex.raw('?? - ?', [time, step.hours * HOUR])]);
      await knex('panel_api_tokens').where('id', '>', this.#lastToken).update(Object.fromEntries(ago));
      const windows = knex('panel_api_rate_limits').where('token_id', '>', this.#lastToken);
      await windows.decrement('window_start', step.hours * HOUR);
    } else await this.#write(model.accountAfter(step));
    return [null, NONE];
  }

  /** The properties that a step names, with the ids of accounts, and the new expiry in seconds since 1970. */
  #named(step: Step, { accounts: all, now }: Model) {
    const { accounts, owner, days: _, ...others } = step.properties ?? {};
    const days = step.properties && daysOf(step);
    const ids = accounts?.map((index) => String(all[index]?.id)) ?? null;
    const values: Record<string, unknown> = { ...others, ...(accounts !== undefined && { accounts: ids }) };
    const expiresAt = days && this.#beganAt + (days * 24 - now) * HOUR;
    return { values, isOwner: accounts?.length === 1 && owner === true, expiresAt };
  }

  async #byApi(step: Step, model: Model, host: HostProcess): Promise<Outcome> {
    const {
      values: { accounts, ...values },
      isOwner,
      expiresAt,
    } = this.#named(step, model);
    const [first = null, ...others] = (accounts ?? []) as readonly string[];
    const bound = others.length > 0 ? { accountIds: accounts } : { accountId: first, owner: isOwner };
    const wanted = {
      ...values,
      ...(accounts !== undefined && bound),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const method = { edit: 'update' }[step.do as 'edit'] ?? step.do;
    const args: Partial<Record<Step['do'], readonly unknown[]>> = {
      create: [{ name: 'life', scopes: ['*'], ...wanted }],
      rotate: [step.token, { ...wanted, graceSeconds: step.hours * HOUR }],
      revoke: [step.token],
    };
    const call =
      step.do === 'set'
        ? host.call('settings', 'change', Object.fromEntries([step.setting]), AUTHOR)
        : host.call('tokens', method, ...(args[step.do] ?? [step.token, wanted]), AUTHOR);
    try {
      const created = (await call) as CreatedToken | undefined;
      return [true, created?.token ? { id: created.record.id, plain: created.token } : NONE];
    } catch (error) {
      if (/^(?:InvalidInput|StaleToken):/.test((error as Error).message)) return [false, NONE];
      throw error;
    }
  }

  async #byCommand(step: Step, model: Model): Promise<Outcome> {
    const { values, isOwner, expiresAt } = this.#named(step, model);
    const isNew = step.do === 'create';
    const options = Object.entries({ ...(isNew && { name: 'life', scopes: '*' }), ...values }).flatMap(
      ([name, value]) => {
        const given = [value ?? []].flat();
        return given.length === 0
          ? WORDS[name]?.[1]
          : given.flatMap((one) => [WORDS[name]?.[0], String(one)]);
      },
    );
    const end =
      expiresAt === undefined
        ? []
        : ['--expires', expiresAt === null ? 'never' : new Date(expiresAt * 1000).toISOString()];
    const grace = step.do === 'rotate' ? ['--grace', `${step.hours}h`] : [];
    const words =
      step.do === 'set'
        ? ['settings', 'set', storedName(step.setting[0]), String(step.setting[1])]
        : [
            'token',
            step.do,
            ...(isNew ? [] : [String(step.token)]),
            ...options,
            ...end,
            ...grace,
            ...(isOwner ? ['--owner'] : []),
          ];
    const { code, stdout, stderr } = await panelApiHere(this.#database.url, [
      ...(words as string[]),
      '--json',
    ]);
    if (code === 2) return [false, NONE];
    if (code !== 0) throw new Error(stderr);
    const { id, token } = JSON.parse(stdout);
    return [true, token ? { id, plain: token } : NONE];
  }

  async #byForm(step: Step, model: Model, host: HostProcess): Promise<Outcome> {
    const { values, isOwner, expiresAt } = this.#named(step, model);
    const days = step.properties && daysOf(step);
    const fields: Field[] = Object.entries(values).flatMap(([name, value]) =>
      (name === 'scopes' ? [value ?? []].flat() : [[value ?? ''].flat().join()]).map(
        (text): Field => [String(WORDS[name]?.[2]), String(text)],
      ),
    );
    if ('accounts' in values) fields.push(['owner', isOwner ? 'yes' : ''], ['account_id', '']);
    if (days !== undefined && step.do !== 'extend')
      fields.push(['expiry', days === null ? 'never' : String(days + FORM_DAYS)]);
    if (step.do === 'extend') fields.push(['expires_at', String(expiresAt ?? 'never')]);
    const target =
      { create: 'tokens', duplicate: 'tokens', set: 'settings' }[step.do as 'set'] ??
      `tokens/${step.token}/${step.do}`;
    let place = target;
    if (step.do === 'create')
      place = `tokens/review?${merged(new URLSearchParams('name=life&scope=*'), fields)}`;
    // The form of a duplicate is in the address that its page leads to.
    const leadsTo =
      step.do === 'duplicate' ? (await this.#page(host, `${target}/${step.token}/duplicate`)).leadsTo : '';
    if (step.do === 'duplicate') place = `tokens/review${new URL(leadsTo, host.url).search}`;
    const page = await this.#page(host, place);
    const form = new URLSearchParams(hiddenFields(page.text, target));
    if (form.size === 0) return [false, NONE];
    const more: Partial<Record<Step['do'], readonly Field[]>> = {
      edit: [...new URLSearchParams(form.get('shown') ?? ''), ['reviewed', 'yes']],
      rotate: [
        ['grace', String(step.hours * HOUR)],
        ['expiry', 'keep'],
      ],
      set: step.do === 'set' ? settingFields(form, step.setting) : [],
    };
    const { status, text } = await this.#page(
      host,
      target,
      merged(merged(form, more[step.do] ?? []), fields),
    );
    const plain = shownToken(text) ?? null;
    const id = Number(/class="button" href="[^"]*tokens\/(\d+)"/.exec(text)?.[1]);
    return plain === null || status !== 200 ? [status === 303, NONE] : [true, { id, plain }];
  }

  /** Gets a page of the section, or sends a form. */
  async #page(host: HostProcess, path: string, body?: URLSearchParams) {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const init = { method: body ? 'POST' : 'GET', headers, ...(body && { body }) };
    const response = await fetch(`${host.url}/admin/${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${path} ${response.status}`);
    if (shownToken(text) === undefined || !body) this.#sent.push(text);
    return { status: response.status, text, leadsTo: response.headers.get('Location') ?? '' };
  }

  async #ask({ question, client, token }: Step, model: Model, host: HostProcess): Promise<Answer> {
    if (question === 'page') {
      const { status, text } = await this.#page(host, `tokens/${token}`);
      return [status, null, null, /class="state (\w+)"/.exec(text)?.[1]];
    }
    // A use is seen, although the last one was in the same second.
    await this.#database.knex('panel_api_tokens').where({ id: token }).decrement('last_used_at', HOUR);
    const id = `life-${this.#lives}-${this.#requests.size}`;
    this.#requests.set(id, '');
    const [address, protocol] = CLIENTS[client];
    const forwarded = protocol && { 'X-Forwarded-For': address, 'X-Forwarded-Proto': protocol };
    const headers = { Authorization: `Bearer ${model.token(token).plain}`, 'X-Request-Id': id, ...forwarded };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...CALL });
    const call = question === 'assistant' && { method: 'POST', body, headers: { ...headers, ...MESSAGE } };
    const answer = await fetch(host.url + QUESTIONS[question][0], { headers, ...call });
    const text = await answer.text();
    this.#sent.push(text, JSON.stringify([...answer.headers]));
    const left = /r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1];
    const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') === true;
    const { error, data, result } = isJson ? JSON.parse(text) : {};
    const refusal = result?.isError ? SENTENCES.find(([sentence]) => sentence.test(text))?.[1] : undefined;
    const code = error?.code ?? refusal ?? null;
    this.#requests.set(id, `${answer.status} ${code}`);
    const shown =
      code === null ? shownIn(question, isJson ? (data ?? result.structuredContent) : text) : null;
    return [answer.status, code, left === undefined ? null : Number(left), shown];
  }

  /**
   * What the module has stored now, so many hours after the beginning, with times in such hours. `count` tokens are known
   * of this life.
   */
  async look(count: number, now: number) {
    const [host] = this.#hosts as [HostProcess];
    const known = this.#entries.length > 0 ? Number(this.#entries[0]?.id) : 0;
    const [{ tokens }, latest, settings, counts] = await Promise.all([
      host.call<TokenPage>('tokens', 'page', { limit: count + 5 }),
      host.call<readonly AuditEntry[]>('audit', 'list', { limit: 10 }),
      host.call<object>('settings', 'read'),
      this.#database.knex('panel_api_rate_limits').where('token_id', '>', this.#lastToken),
    ]);
    const added = latest.filter(({ id }) => id > known);
    this.#entries = [...added, ...this.#entries];
    const hours = (seconds: number) => Math.round((seconds - this.#beganAt) / HOUR) + now;
    const inHours = (key: string, value: unknown) => {
      if (typeof value === 'number' && /^at$|At$/.test(key)) return hours(value);
      const isTime = typeof value === 'string' && key !== 'createdAt' && /^\d{4}-\d\d-/.test(value);
      return isTime ? hours(Date.parse(value) / 1000) : value;
    };
    const seen = {
      tokens: tokens
        .filter(({ id }) => id > this.#lastToken)
        .map(({ prefix, readAt, accountId, ...record }) => {
          const count = counts.find(({ token_id }) => token_id === record.id);
          return { ...record, hits: Number(count?.hits ?? 0) };
        }),
      entries: added
        .map(({ id, ...entry }) => entry)
        .toReversed()
        .toSorted(byToken),
      settings,
    };
    return JSON.parse(JSON.stringify(seen), inHours) as typeof seen;
  }

  /** Ends a life: each request has one line in the log, the audit trail is as it was, and no secret was sent. */
  async end(model: Model): Promise<void> {
    const printed = () =>
      this.#hosts.map((host, index) => host.printed().slice(this.#printed[index])).join('\n');
    const lines = () =>
      printed()
        .split('\n')
        .filter((line) => line.includes('"panel-api request"'))
        .map((line) => JSON.parse(line));
    await until(() => lines().length >= this.#requests.size);
    const logged = lines().map((line) => [line.request_id, `${line.status} ${line.error_code}`]);
    expect(logged.toSorted()).toEqual([...this.#requests].toSorted());
    const [host] = this.#hosts as [HostProcess];
    expect(await host.call('audit', 'list', { limit: this.#entries.length })).toEqual(this.#entries);
    const sent = [printed(), ...this.#sent, JSON.stringify(this.#entries)].join('\n');
    const secrets = model.tokens.flatMap(({ plain }) =>
      plain === null ? [] : [plain, tokenHash(plain).toString('hex')],
    );
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  }
}

type Entry = Pick<AuditEntry, 'tokenId'> & { readonly action: string };

/** Orders entries: those of two changes at once may alternate. */
export function byToken(one: Entry, other: Entry): number {
  return Number(one.tokenId) - Number(other.tokenId) || one.action.localeCompare(other.action);
}

type Field = readonly [name: string, value: string];

/** Fields in which these replace those of the same names. */
function merged(base: URLSearchParams, fields: readonly Field[]): URLSearchParams {
  const kept = [...base].filter(([name]) => fields.every(([given]) => given !== name));
  return new URLSearchParams([...kept, ...fields].map(([name, value]): [string, string] => [name, value]));
}

/** Keeps what a form has of one setting, and returns its fields. */
function settingFields(form: URLSearchParams, [setting, value]: Step['setting']): readonly Field[] {
  const name = storedName(setting);
  for (const shown of [...form.keys()])
    if (!['form_token', `shown_${name}`].includes(shown)) form.delete(shown);
  return [['confirmed', 'yes'], ...(value === false ? [] : [[name, String(value)] as const])];
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it expects.
function shownIn(question: Step['question'], data: any): unknown {
  if (question === 'server') return null;
  if (question === 'domains counted') return data.total;
  if (question === 'metrics') {
    const counts = [...data.matchAll(/^panel_domains\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
  }
  const { token, allowed_ips, account_ids, owner, rate_limit } = data;
  if (question === 'profile')
    return [
      token.id,
      token.name,
      token.scopes,
      allowed_ips,
      account_ids.map(String),
      owner,
      rate_limit.limit,
    ];
  return data.items.map(({ id, domain = String(id) }: Record<string, unknown>) => domain).toSorted();
}
