import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuditEntry, SettingValues, TokenPage, TokenRecord } from '../../../index';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { panelApiHere } from '../../fixture/command/panelApi';
import type { TestDatabase } from '../../fixture/databases';
import { AUTHOR, type HostProcess } from '../../fixture/processes/hostProcess';
import { hiddenFields, shownToken } from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';
import { type Account, type Answer, type Created, domainOf, type Model } from './model';
import { CLIENTS, type Properties, SETTINGS, type Step, type Way } from './steps';

/** What a step has led to; its change was made or refused, and null says nothing. */
export interface Outcome {
  readonly isDone: boolean | null;
  readonly created: Created;
  readonly answer?: Answer;
}

export const ACTORS: Readonly<Record<Way, string>> = {
  panel: AUTHOR.actor,
  'api-section': 'ann',
  cli: userInfo().username,
};

const PATHS = {
  domains: 'domains.php',
  'domains counted': 'domains.php?count=true',
  'domains, wrongly': 'domains.php?limit=0',
  accounts: 'accounts.php',
  profile: 'me.php',
  server: 'server-health.php',
  nothing: 'nothing.php',
};

/** The codes of the sentences with which a tool for assistants refuses. */
const SENTENCES: readonly [string, string][] = [
  ['lacks the scope', 'scope_missing'],
  ['does not exist any more', 'account_gone'],
  ['was replaced by another', 'account_changed'],
  ['is suspended', 'account_suspended'],
];
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'panel_list', arguments: { list: 'domains' } },
};

const DONE: Outcome = { isDone: true, created: { id: 0, plain: null } };
const REFUSED: Outcome = { ...DONE, isDone: false };
const TIMES = ['created_at', 'expires_at', 'rotated_at', 'revoked_at', 'last_used_at'];

/** Panels in several processes over one database, and what they have sent in one life. */
export class World {
  #lives = 0;
  #beganAt = 0;
  #before = { token: 0, entry: 0 };
  #entries: readonly AuditEntry[] = [];
  #texts: string[] = [];
  #requests = new Map<string, string>();
  #printed: number[] = [];

  readonly database: TestDatabase;
  readonly hosts: readonly HostProcess[];

  constructor(database: TestDatabase, hosts: readonly HostProcess[]) {
    this.database = database;
    this.hosts = hosts;
  }

  /** Begins a life with a reseller, two customers of it, and another account. */
  async begin(): Promise<readonly Account[]> {
    const { knex } = this.database;
    this.#lives += 1;
    const ids = [0, 1, 2, 3].map((index) => String(this.#lives * 10 + index));
    const accounts = ids.map((id, index): Account => {
      const of = { username: `user${id}`, createdAt: '2024-01-01T00:00:00+00:00', state: 'active' } as const;
      return { id, ...of, ownerId: index === 1 || index === 2 ? String(ids[0]) : null };
    });
    await knex('accounts').delete();
    await knex('domains').delete();
    await knex('domains').insert(ids.map((id) => ({ account_id: id })));
    for (const account of accounts) await this.#write(account);
    await this.#host(0).call('settings', 'change', SETTINGS, AUTHOR);
    const [tokens, [entry]] = await this.#records(1);
    this.#before = { token: tokens[0]?.id ?? 0, entry: entry?.id ?? 0 };
    this.#entries = [];
    this.#texts = [];
    this.#requests.clear();
    this.#printed = this.hosts.map((host) => host.printed().length);
    // No time of the life is before it.
    this.#beganAt = Math.floor(Date.now() / 1000) - 2;
    return accounts;
  }

  #host(number: number): HostProcess {
    return this.hosts[number % this.hosts.length] as HostProcess;
  }

  async #records(limit: number): Promise<[readonly TokenRecord[], readonly AuditEntry[]]> {
    const host = this.#host(this.#requests.size);
    const [{ tokens }, entries] = await Promise.all([
      host.call<TokenPage>('tokens', 'page', { limit }),
      host.call<readonly AuditEntry[]>('audit', 'list', { limit }),
    ]);
    return [tokens, entries];
  }

  /** Writes the account as it is now, with its domain. */
  async #write({ id, username, createdAt, ownerId, state }: Account): Promise<void> {
    const domain = domainOf({ id, createdAt });
    await this.database.knex.transaction(async (transaction) => {
      await transaction('accounts').where({ id }).delete();
      const row = {
        id,
        username,
        owner_id: ownerId,
        status: state,
        created_at: createdAt.slice(0, 19).replace('T', ' '),
      };
      if (state !== 'gone') await transaction('accounts').insert(row);
      await transaction('domains').where({ account_id: id }).update({ domain });
    });
  }

  /** Takes a step in the process of this number. */
  async take(step: Step, model: Model, number: number): Promise<Outcome> {
    const { knex } = this.database;
    const host = this.#host(number);
    if (step.do === 'ask') {
      // A use is seen although the last one was in the same second.
      await knex('panel_api_tokens').where({ id: step.token }).decrement('last_used_at', HOUR);
      return {
        ...DONE,
        isDone: null,
        answer: await this.#ask(step, String(model.token(step.token).plain), host),
      };
    }
    if (step.do === 'wait') {
      const seconds = step.hours * HOUR;
      const ids = model.tokens.map(({ id }) => id);
      await knex('panel_api_tokens')
        .whereIn('id', ids)
        .update(Object.fromEntries(TIMES.map((time) => [time, knex.raw('?? - ?', [time, seconds])])));
      await knex('panel_api_rate_limits').whereIn('token_id', ids).decrement('window_start', seconds);
      return { ...DONE, isDone: null };
    }
    if (!('way' in step)) {
      const next = model.copy();
      next.take(step, DONE.created, null);
      await this.#write(next.accounts[(step as Step).account] as Account);
      return { ...DONE, isDone: null };
    }
    if (step.way === 'panel') return this.#byApi(step, model, host);
    return step.way === 'cli' ? this.#byCommand(step, model) : this.#byForm(step, model, host);
  }

  #secondsAt(days: number | null, model: Model): number | null {
    return days === null ? null : this.#beganAt + (days * 24 - model.now) * HOUR;
  }

  async #byApi(step: Step, model: Model, host: HostProcess): Promise<Outcome> {
    const { do: action, token: id, hours, setting = [], properties = {} } = step;
    const { days, accounts, owner = false, ...same } = properties;
    const [first = null, ...others] = (accounts ?? []).map((index) => model.accounts[index]?.id);
    const wanted = {
      ...same,
      ...(accounts !== undefined &&
        (others.length > 0
          ? { accountIds: [first, ...others] }
          : { accountId: first, owner: first !== null && owner })),
      ...(days !== undefined && { expiresAt: this.#secondsAt(days, model) }),
    };
    const call = (method: string, ...args: readonly unknown[]) =>
      host.call<{ token?: string; record: TokenRecord }>('tokens', method, ...args, AUTHOR);
    const calls: Partial<Record<Step['do'], () => Promise<unknown>>> = {
      create: () => call('create', { name: 'life', scopes: ['*'], ...wanted }),
      edit: () => call('update', id, wanted),
      extend: () => call('extend', id, wanted),
      duplicate: () => call('duplicate', id, wanted),
      rotate: () => call('rotate', id, { ...wanted, graceSeconds: hours * HOUR }),
      revoke: () => call('revoke', id),
      set: () => host.call('settings', 'change', { [String(setting[0])]: setting[1] }, AUTHOR),
    };
    try {
      const { token, record } = ((await calls[action]?.()) ?? {}) as { token?: string; record: TokenRecord };
      return token === undefined ? DONE : { isDone: true, created: { id: record.id, plain: token } };
    } catch (error) {
      if (/^(?:InvalidInput|StaleToken):/.test((error as Error).message)) return REFUSED;
      throw error;
    }
  }

  async #byCommand(step: Step, model: Model): Promise<Outcome> {
    const { do: action, token: id, hours, setting, properties = {} } = step;
    const {
      name = action === 'create' ? 'life' : undefined,
      note,
      scopes = action === 'create' ? ['*'] : undefined,
      accounts,
      owner,
      allowedAddresses,
      rateLimit,
      days,
    } = properties;
    const option = (word: string, value: unknown) =>
      value === undefined ? [] : [word, ...[value].flat().map(String)];
    const seconds = days === undefined ? undefined : this.#secondsAt(days, model);
    const words = [
      ...option('--name', name),
      ...option('--note', note === null ? '' : note),
      ...option('--scope', scopes),
      ...(accounts === null
        ? ['--any-account']
        : (accounts ?? []).flatMap((index) => ['--account', String(model.accounts[index]?.id)])),
      ...(accounts?.length === 1 && owner ? ['--owner'] : []),
      ...(allowedAddresses?.length === 0
        ? action === 'create'
          ? []
          : ['--any-address']
        : option('--allow', allowedAddresses)),
      ...(rateLimit === null ? ['--default-rate-limit'] : option('--rate-limit', rateLimit)),
      ...option('--expires', seconds === null ? 'never' : seconds && new Date(seconds * 1000).toISOString()),
    ];
    const args = {
      set: [
        'settings',
        'set',
        String(setting?.[0]).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        String(setting?.[1]),
      ],
      create: ['token', 'create', ...words],
      rotate: ['token', 'rotate', String(id), '--grace', `${hours}h`, ...words],
    };
    const { code, stdout, stderr } = await panelApiHere(this.database.url, [
      ...(args[action as 'set'] ?? ['token', action, String(id), ...words]),
      '--json',
    ]);
    if (code !== 0 && code !== 2) throw new Error(`${args} ${code} ${stderr}`);
    if (code !== 0) return REFUSED;
    const printed = JSON.parse(stdout);
    return printed.token ? { isDone: true, created: { id: printed.id, plain: printed.token } } : DONE;
  }

  async #byForm(step: Step, model: Model, host: HostProcess): Promise<Outcome> {
    const { do: action, token: id, hours, setting: [setting, value] = [], properties = {} } = step;
    const form =
      { create: 'tokens', duplicate: 'tokens', set: 'settings' }[action as 'set'] ?? `tokens/${id}/${action}`;
    const fields = fieldsOf(properties, model);
    let page = form;
    if (action === 'create') page = `tokens/review?${merged('name=life&scope=*', fields)}`;
    // The form of a duplicate is in the address that its page leads to.
    if (action === 'duplicate')
      page = `tokens/review?${(await this.#send(host, `tokens/${id}/duplicate`)).leadsTo.split('?')[1]}`;
    const hidden = new URLSearchParams(hiddenFields((await this.#send(host, page)).text, form));
    if (!hidden.has('form_token')) return REFUSED;
    if (action === 'set')
      for (const name of [...hidden.keys()])
        if (!['form_token', `shown_${stored(setting)}`].includes(name)) hidden.delete(name);
    const typed: Partial<Record<Step['do'], readonly Field[]>> = {
      edit: [...new URLSearchParams(hidden.get('shown') ?? ''), ['reviewed', 'yes']],
      rotate: [
        ['grace', String(hours * HOUR)],
        ['expiry', 'keep'],
      ],
      extend: [['expires_at', String(this.#secondsAt(properties.days ?? null, model) ?? 'never')]],
      set: [['confirmed', 'yes'], ...(value === false ? [] : [[stored(setting), String(value)] as Field])],
    };
    const sent =
      action === 'extend'
        ? merged(hidden, typed.extend ?? [])
        : merged(merged(hidden, typed[action] ?? []), fields);
    const { status, text } = await this.#send(host, form, sent);
    const plain = shownToken(text);
    if (status === 303) return DONE;
    if (plain === undefined || status !== 200) return REFUSED;
    return {
      isDone: true,
      created: { id: Number(/class="button" href="[^"]*tokens\/(\d+)"/.exec(text)?.[1]), plain },
    };
  }

  /** Gets a page of the section, or sends a form. */
  async #send(host: HostProcess, path: string, form?: URLSearchParams) {
    const init = form && { method: 'POST', body: form, headers: { 'Sec-Fetch-Site': 'same-origin' } };
    const response = await fetch(`${host.url}/admin/${path}`, { redirect: 'manual', ...init });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${path} ${response.status}`);
    if (!form || !/^tokens(\/\d+\/rotate)?$/.test(path)) this.#texts.push(text);
    return { status: response.status, text, leadsTo: response.headers.get('Location') ?? '' };
  }

  async #ask({ question, client }: Step, token: string, host: HostProcess): Promise<Answer> {
    const id = `life-${this.#lives}-${this.#requests.size}`;
    const { address } = CLIENTS[client];
    const forwarded =
      client === 'here'
        ? {}
        : {
            'X-Forwarded-For': address,
            'X-Forwarded-Proto': client === 'office in clear' ? 'http' : 'https',
          };
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': id, ...forwarded };
    this.#requests.set(id, '');
    const isTool = question === 'assistant';
    const path = isTool
      ? '/mcp'
      : question === 'metrics'
        ? '/metrics'
        : `/api/v1/${PATHS[question as 'domains']}`;
    const call = isTool && {
      method: 'POST',
      body: JSON.stringify(CALL),
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      },
    };
    const response = await fetch(host.url + path, { headers, ...call });
    const text = await response.text();
    this.#texts.push(text, JSON.stringify([...response.headers]));
    const { status } = response;
    const left = /r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1];
    const isMetrics = question === 'metrics' && status === 200;
    const body = isMetrics ? {} : JSON.parse(text);
    const sentence = body.result?.isError ? body.result.content[0].text : '';
    const code = body.error?.code ?? SENTENCES.find(([words]) => sentence.includes(words))?.[1] ?? null;
    this.#requests.set(id, JSON.stringify([status, code]));
    const counts = [...text.matchAll(/^panel_domains\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    const shown =
      code !== null
        ? null
        : isMetrics
          ? counts.length > 0
            ? counts.reduce((sum, count) => sum + count)
            : null
          : shownIn(question, body.result?.structuredContent ?? body.data);
    return { status, code, left: left === undefined ? null : Number(left), shown };
  }

  /** What the panel has now, in the words of the model, so many hours after the beginning. */
  async observe(model: Model, now: number) {
    const { token, entry } = this.#before;
    const [records, latest] = await this.#records(model.tokens.length + 10);
    const hits = await this.database
      .knex('panel_api_rate_limits')
      .select('token_id', 'hits')
      .where('token_id', '>', token);
    const last = this.#entries[0]?.id ?? entry;
    const added = latest.filter(({ id }) => id > last);
    this.#entries = [...added, ...this.#entries];
    const hour = (seconds: number | null) =>
      seconds === null ? null : Math.round((seconds - this.#beganAt) / HOUR) + now;
    const written = (text: unknown) => (typeof text === 'string' ? hour(Date.parse(text) / 1000) : text);
    return {
      tokens: records
        .filter(({ id }) => id > token)
        .map(({ prefix, readAt, accountId, ...record }) => ({
          ...record,
          ...Object.fromEntries(
            (['createdAt', 'expiresAt', 'rotatedAt', 'revokedAt', 'lastUsedAt'] as const).map((time) => [
              time,
              hour(record[time]),
            ]),
          ),
          hits: Number(hits.find(({ token_id }) => token_id === record.id)?.hits ?? 0),
        })),
      entries: added
        .map(({ id, details: { expires_at: end, ...details }, ...rest }) => ({
          ...rest,
          at: hour(rest.at),
          details: {
            ...details,
            ...(end !== undefined && {
              expires_at:
                typeof end === 'object' && end !== null
                  ? Object.fromEntries(Object.entries(end).map(([side, value]) => [side, written(value)]))
                  : written(end),
            }),
          },
        }))
        .toReversed()
        .toSorted(byToken),
      settings: await this.#host(this.#requests.size).call<SettingValues>('settings', 'read'),
    };
  }

  /** Ends a life: nothing was said twice, lost or told. */
  async end(model: Model): Promise<void> {
    const text = () => this.hosts.map((host, index) => host.printed().slice(this.#printed[index])).join('\n');
    const lines = () =>
      text()
        .split('\n')
        .filter((line) => line.includes('"panel-api request"'))
        .map((line) => JSON.parse(line));
    await until(() => lines().length >= this.#requests.size);
    const logged = lines().map((line): [string, string] => [
      line.request_id,
      JSON.stringify([line.status, line.error_code]),
    ]);
    expect(new Map(logged)).toEqual(this.#requests);
    expect(logged.length).toBe(this.#requests.size);
    const [, entries] = await this.#records(Math.max(1, this.#entries.length));
    expect(this.#entries.length === 0 || entries).toEqual(this.#entries.length === 0 || this.#entries);
    const secrets = model.tokens.flatMap(({ plain }) =>
      plain === null ? [] : [plain, createHash('sha256').update(plain).digest('hex')],
    );
    const sent = [text(), ...this.#texts, JSON.stringify(this.#entries)].join('\n');
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  }
}

type Entry = Pick<AuditEntry, 'action' | 'tokenId'>;

/** Orders entries: those of two changes at once may alternate. */
export function byToken(one: Entry, other: Entry): number {
  return Number(one.tokenId) - Number(other.tokenId) || one.action.localeCompare(other.action);
}

type Field = readonly [name: string, value: string];

function stored(setting: unknown): string {
  return String(setting).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields in which these replace those of the same names. */
function merged(base: string | URLSearchParams, fields: readonly Field[]): URLSearchParams {
  const all = new URLSearchParams(base);
  for (const [name] of fields) all.delete(name);
  for (const [name, value] of fields) all.append(name, value);
  return all;
}

/** The properties as fields of the section's forms. */
function fieldsOf(
  { accounts, owner, scopes = [], days, allowedAddresses, rateLimit, note, name }: Properties,
  model: Model,
): readonly Field[] {
  const fields: Record<string, string | undefined> = {
    name,
    note: note === null ? '' : note,
    account:
      accounts === undefined ? undefined : (accounts ?? []).map((index) => model.accounts[index]?.id).join(),
    account_id: accounts === undefined ? undefined : '',
    owner: accounts === undefined ? undefined : accounts?.length === 1 && owner ? 'yes' : '',
    addresses: allowedAddresses?.join('\n'),
    rate_limit: rateLimit === undefined ? undefined : String(rateLimit ?? ''),
    expiry: days === undefined ? undefined : days === null ? 'never' : String(days + 7),
  };
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return [...given, ...scopes.map((scope) => ['scope', scope] as const)];
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it expects.
function shownIn(question: Step['question'], data: any): unknown {
  if (question === 'domains counted') return data.total;
  if (question === 'server') return null;
  if (question === 'profile')
    return [
      data.token.id,
      data.token.name,
      data.token.scopes,
      data.allowed_ips,
      data.account_ids.map(String),
      data.owner,
      data.rate_limit.limit,
    ];
  return data.items
    .map((item: { id: unknown; domain?: string }) => item.domain ?? String(item.id))
    .toSorted();
}
