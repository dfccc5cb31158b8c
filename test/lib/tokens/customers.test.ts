import { setTimeout as sleep } from 'node:timers/promises';
import { DuplicateRequest, InvalidInput, type TokenRequest } from '../../../index';
import { ADMIN, asCustomer, BOUNDS, type Customers, REQUEST, startCustomers } from '../../fixture/customers';
import { describeEachEngine, openHandle } from '../../fixture/databases';
import { delayStatement } from '../../fixture/delayStatement';
import { handleSettings } from '../../fixture/handleSettings';
import { startPanel } from '../../fixture/panel';

const DAY = 86_400;

/** The position of the statement after that which counts, in the transaction that creates a token. */
const AFTER_COUNT = 2;

const OFF = 'Customers may not create or change tokens at present.';

/** What a customer may not ask for, and the input that the error names. */
const REFUSED: readonly (readonly [what: string, request: object, input: string])[] = [
  ['another account', { accountId: 999 }, 'accountId'],
  ['all accounts', { accountId: null }, 'accountId'],
  ['an account that is undefined', { accountId: undefined }, 'accountId'],
  ['several accounts', { accountIds: [1] }, 'accountId'],
  ['a scope that is not allowed', { scopes: ['domains.read', 'jobs.read'] }, 'scopes'],
  ['every scope', { scopes: ['*'] }, 'scopes'],
  ['the accounts that it owns', { owner: true }, 'owner'],
  ['no end', { expiresAt: null }, 'expires'],
  ['a life beyond the longest', { expiresInSeconds: 367 * DAY }, 'expires'],
  ['a limit above the general one', { rateLimit: 121 }, 'rateLimit'],
];

describeEachEngine('A customer', (engine) => {
  let customers: Customers;

  beforeAll(async () => {
    customers = await startCustomers(engine);
  });

  beforeEach(() => set(BOUNDS));

  const set = (values: object) => customers.panel.api.settings.change(values, ADMIN);
  const create = (id: string, request: object = {}, by?: string) =>
    customers.tokens.create({ ...REQUEST, ...request } as TokenRequest, asCustomer(id, by));
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      (error: unknown) => (error instanceof InvalidInput ? error.message : error),
    );
  /** The numbers of tokens and of entries of the audit trail. */
  const written = async () => {
    const { knex } = customers.database;
    const tables = ['panel_api_tokens', 'panel_api_audit_log'];
    return Promise.all(tables.map(async (table) => (await knex(table).pluck('id')).length));
  };
  /** The answers to all changes of a token by an account. */
  const changesOf = async (id: number, account: string) => {
    const { tokens } = customers;
    const author = asCustomer(account);
    return [
      await tokens.update(id, { name: 'stolen' }, author),
      await tokens.extend(id, { expiresInSeconds: 100 * DAY }, author),
      await tokens.rotate(id, { graceSeconds: 300 }, author),
      await tokens.revoke(id, author),
    ];
  };

  test('creates a token of the own account alone, with an end', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    expect(record).toMatchObject({
      accountId: id,
      owner: false,
      scopes: ['domains.read'],
      createdBy: `user${id}`,
      origin: 'account-section',
      expiresAt: record.createdAt + 90 * DAY,
    });
    expect(record.accounts).toEqual([{ id, createdAt: '2024-01-01T00:00:00+00:00', username: `user${id}` }]);
  });

  test('is named in the audit trail, with the administrator who acts as the customer', async () => {
    const id = await customers.account();
    const { record } = await create(id, {}, 'anna');
    await customers.tokens.update(record.id, { name: 'other' }, asCustomer(id, 'anna'));
    await customers.tokens.extend(record.id, { expiresInSeconds: 100 * DAY }, asCustomer(id));
    await customers.tokens.rotate(record.id, { graceSeconds: 300 }, asCustomer(id, 'anna'));
    await customers.tokens.revoke(record.id, asCustomer(id, 'anna'));
    const entries = await customers.panel.api.audit.list({ tokenId: record.id });
    expect(entries.map(({ action, actor, origin, details }) => [action, actor, origin, details.by])).toEqual(
      [
        ['revoked', 'anna'],
        ['rotated', 'anna'],
        ['extended', undefined],
        ['changed', 'anna'],
        ['created', 'anna'],
      ].map(([action, by]) => [`token.${action}`, `user${id}`, 'account-section', by]),
    );
  });

  test.each(REFUSED)('is refused %s, and nothing is written', async (_what, request, input) => {
    const id = await customers.account();
    const { record } = await create(id, { rateLimit: 100 });
    const before = await written();
    const author = asCustomer(id);
    const attempts = [
      () => create(id, request),
      ...('owner' in request ? [] : [() => customers.tokens.update(record.id, request, author)]),
      ...(input === 'owner'
        ? [() => customers.tokens.update(record.id, { accountId: id, owner: true }, author)]
        : []),
      ...(input === 'expires' ? [() => customers.tokens.extend(record.id, request, author)] : []),
      ...(input === 'expires'
        ? [() => customers.tokens.rotate(record.id, { graceSeconds: 300, ...request }, author)]
        : []),
    ];
    for (const attempt of attempts) {
      const error = await attempt().catch((reason) => reason);
      expect([error, error.input]).toEqual([expect.any(InvalidInput), input]);
    }
    expect(await written()).toEqual(before);
  });

  test('may have what the settings allow: every scope, the accounts that it owns, the general limit', async () => {
    await set({ customerScopes: ['*', 'ssl.read'], customerOwner: true });
    const id = await customers.account();
    const request = { scopes: ['*'], owner: true, rateLimit: 120, accountId: Number(id) };
    expect((await create(id, request)).record).toMatchObject({ ...request, accountId: id });
    expect(await refusal(create(id, { scopes: ['domains.read'] }))).toBe(
      'Customers may not have the scope "domains.read". The scopes are ssl.read, *.',
    );
  });

  test.each([
    [{ customerExpiryDays: 30 }, 30],
    [{ customerExpiryDays: 30, defaultExpiryDays: null }, 30],
    [{ customerExpiryDays: 400, maxExpiryDays: 20 }, 20],
    [{ customerExpiryDays: 400, defaultExpiryDays: 10, maxExpiryDays: 20 }, 10],
  ])('gets the shorter of the usual life and the longest one (%j)', async (settings, days) => {
    await set(settings);
    const { record } = await create(await customers.account());
    expect(record.expiresAt).toBe(record.createdAt + days * DAY);
  });

  test('has at most the allowed number of active tokens', async () => {
    await set({ customerTokens: 2 });
    const id = await customers.account();
    await customers.tokens.create({ ...REQUEST, accountId: id }, ADMIN);
    const [{ record }, last] = [await create(id), await create(id)];
    const full = 'The number of active tokens of the account is limited to 2: revoke one.';
    expect(await refusal(create(id))).toBe(full);
    await customers.tokens.revoke(record.id, asCustomer(id));
    expect(await refusal(create(id))).toBe('done');
    expect(await refusal(create(id))).toBe(full);
    await customers.database.knex('panel_api_tokens').where({ id: last.record.id }).update({ expires_at: 1 });
    expect(await refusal(create(id))).toBe('done');
  });

  test('is not charged with the tokens of others, nor of an account that had its id before', async () => {
    await set({ customerTokens: 1 });
    const [id, other] = [await customers.account(), await customers.account()];
    expect(await refusal(create(id))).toBe('done');
    expect(await refusal(create(other))).toBe('done');
    await customers.replace(id);
    expect(await refusal(create(id))).toBe('done');
  });

  test('creates at most five tokens within a minute, rotations included', async () => {
    await set({ customerTokens: 100 });
    const id = await customers.account();
    const { record } = await create(id);
    for (let made = 1; made < 4; made += 1) await create(id);
    const rotate = () => customers.tokens.rotate(record.id, { graceSeconds: 300 }, asCustomer(id));
    const rotated = await rotate();
    const late = 'At most 5 tokens can be created in a minute: wait a minute.';
    expect(await refusal(create(id))).toBe(late);
    expect(
      await refusal(customers.tokens.rotate(rotated!.record.id, { graceSeconds: 300 }, asCustomer(id))),
    ).toBe(late);
    expect(await refusal(create(await customers.account()))).toBe('done');
    await customers.wait();
    expect(await refusal(create(id))).toBe('done');
  });

  test.each([
    ['the allowed number', { customerTokens: 3 }, 3],
    ['five within a minute', { customerTokens: 1000 }, 5],
  ])('gets %s of tokens by sixteen requests at once to two mounts', async (_what, settings, most) => {
    await set(settings);
    const id = await customers.account();
    const other = await startPanel({ db: openHandle(handleSettings(customers.database)) });
    await other.api.tokens.get(1);
    const apis = [customers.panel.api, other.api];
    const attempts = Array.from({ length: 16 }, (_, index) =>
      refusal(apis[index % 2]!.tokens.create(REQUEST, asCustomer(id))),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(most);
    expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual([]);
    expect((await customers.tokens.page({ accountId: id })).tokens).toHaveLength(most);
  });

  test('rotates a token although the number is reached, until as many wait for their end', async () => {
    await set({ customerTokens: 1 });
    const id = await customers.account();
    const { record } = await create(id);
    const rotate = (one: number) => customers.tokens.rotate(one, { graceSeconds: 300 }, asCustomer(id));
    const second = await rotate(record.id);
    expect(second!.record).toMatchObject({ origin: 'account-section', accountId: id });
    expect(await refusal(rotate(second!.record.id))).toBe(
      'The number of rotated tokens that are still active is limited to 1: revoke one.',
    );
    await customers.tokens.revoke(record.id, asCustomer(id));
    expect(await refusal(rotate(second!.record.id))).toBe('done');
  });

  test('changes, extends, rotates and revokes no token but those that the account has created', async () => {
    const [id, other] = [await customers.account(), await customers.account()];
    const made = [
      await create(other),
      await customers.tokens.create({ ...REQUEST, accountId: id }, ADMIN),
      await customers.tokens.create({ ...REQUEST, accountIds: [id, other] }, ADMIN),
      await customers.tokens.create(REQUEST, ADMIN),
    ].map(({ record }) => record);
    const before = await written();
    for (const { id: token } of [...made, { id: 2 ** 31 - 1 }])
      expect(await changesOf(token, id)).toEqual([null, null, null, null]);
    expect(await written()).toEqual(before);
    for (const { id: token, version } of made)
      expect(await customers.tokens.get(token)).toMatchObject({ version, name: 'script', state: 'active' });
  });

  test.each(['update', 'extend', 'rotate', 'revoke'] as const)(
    'causes the same statements to %s the token of another account and an unknown one',
    async (method) => {
      const [id, other] = [await customers.account(), await customers.account()];
      const { record } = await create(other);
      const { knex } = customers.database;
      const requests = {
        update: { name: 'x' },
        extend: { expiresInSeconds: 100 * DAY },
        rotate: { graceSeconds: 300 },
        revoke: undefined,
      };
      const statements = async (token: number) => {
        const sent: string[] = [];
        const note = ({ sql }: { sql: string }) => sent.push(sql);
        knex.on('query', note);
        const args = [token, requests[method], asCustomer(id)].filter((one) => one !== undefined);
        expect(await (customers.tokens[method] as (...given: unknown[]) => unknown)(...args)).toBeNull();
        knex.off('query', note);
        return sent;
      };
      const foreign = await statements(record.id);
      expect(foreign.length).toBeGreaterThan(3);
      expect(await statements(2 ** 31 - 1)).toEqual(foreign);
    },
  );

  test('has nothing to do with the tokens of an account that had its id before', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    await customers.replace(id);
    expect(await changesOf(record.id, id)).toEqual([null, null, null, null]);
  });

  test('keeps what is not changed, also if a setting has become stricter', async () => {
    const id = await customers.account();
    const { record } = await create(id, {
      scopes: ['domains.read', 'ssl.read'],
      expiresInSeconds: 300 * DAY,
    });
    await set({ customerScopes: ['ssl.read'], customerExpiryDays: 7 });
    const author = asCustomer(id);
    const { tokens } = customers;
    expect(
      await tokens.update(record.id, { name: 'renamed', allowedAddresses: ['192.0.2.7'] }, author),
    ).toMatchObject({
      scopes: record.scopes,
      expiresAt: record.expiresAt,
    });
    expect(await tokens.update(record.id, { scopes: ['domains.read'] }, author)).toMatchObject({
      scopes: ['domains.read'],
    });
    expect(await refusal(tokens.extend(record.id, { expiresInSeconds: 301 * DAY }, author))).toBe(
      'A token must expire within 7 days.',
    );
    const rotated = await tokens.rotate(record.id, { graceSeconds: 300 }, author);
    expect(rotated!.record.scopes).toEqual(['domains.read']);
    expect(rotated!.record.expiresAt).toBeLessThan(record.createdAt + 9 * DAY);
  });

  test('revokes a token that administrators have bound to the account alone only if the setting allows it', async () => {
    const [id, other] = [await customers.account(), await customers.account()];
    const make = (request: object) =>
      customers.tokens.create({ ...REQUEST, note: 'secret', ...request }, ADMIN);
    const [{ record }, { record: shared }] = [
      await make({ accountId: id }),
      await make({ accountIds: [id, other] }),
    ];
    const revoke = (token: number) => customers.tokens.revoke(token, asCustomer(id));
    await set({ administratorsTokens: 'named' });
    expect(await revoke(record.id)).toBeNull();
    await set({ administratorsTokens: 'revocable' });
    expect(await revoke(shared.id)).toBeNull();
    const seen = {
      name: 'script',
      note: null,
      createdBy: '',
      revokedBy: null,
      state: 'revoked',
      isOwn: false,
    };
    expect(await revoke(record.id)).toMatchObject(seen);
    expect(await revoke(record.id)).toMatchObject(seen);
    expect(await customers.tokens.get(record.id)).toMatchObject({ revokedBy: `user${id}`, note: 'secret' });
  });

  test('creates and changes nothing while no scope is allowed, but revokes', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    await set({ customerScopes: [] });
    const { tokens } = customers;
    const author = asCustomer(id);
    expect(await refusal(create(id))).toBe(OFF);
    expect(await refusal(tokens.update(record.id, { name: 'x' }, author))).toBe(OFF);
    expect(await refusal(tokens.extend(record.id, { expiresInSeconds: 100 * DAY }, author))).toBe(OFF);
    expect(await refusal(tokens.rotate(record.id, { graceSeconds: 300 }, author))).toBe(OFF);
    expect(await tokens.revoke(record.id, author)).toMatchObject({ state: 'revoked', isOwn: true });
  });

  test.each([
    ['suspended', 'The account is suspended, so it cannot create or change tokens.', 'revoked'],
    ['gone', 'The account does not exist any more, so it cannot create or change tokens.', undefined],
  ])('whose account is %s creates and changes nothing', async (state, sentence, revoked) => {
    const id = await customers.account();
    const { record } = await create(id);
    const row = customers.database.knex('accounts').where({ id });
    await (state === 'gone' ? row.delete() : row.update({ status: 'suspended' }));
    await customers.panel.api.settings.change({ suspendedAccounts: 'allow' }, ADMIN);
    const author = asCustomer(id);
    expect(await refusal(create(id))).toBe(sentence);
    await expect(create(id)).rejects.toMatchObject({ input: 'origin' });
    expect(await refusal(customers.tokens.update(record.id, { name: 'x' }, author))).toBe(sentence);
    expect(await refusal(customers.tokens.rotate(record.id, { graceSeconds: 300 }, author))).toBe(sentence);
    expect((await customers.tokens.revoke(record.id, author))?.state).toBe(revoked);
  });

  test('has idempotency keys of the own account: another one with the same key is told nothing', async () => {
    const [id, other] = [await customers.account(), await customers.account()];
    const key = { idempotencyKey: 'same' };
    const { record } = await create(id, key);
    expect(await refusal(create(other, key))).toBe('done');
    await expect(create(id, key)).rejects.toMatchObject({ tokenId: record.id });
    await expect(create(id, key)).rejects.toBeInstanceOf(DuplicateRequest);
    await customers.replace(id);
    expect(await refusal(create(id, key))).toBe('done');
  });

  test('is told neither who has rotated a token, nor what administrators have noted about it', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    const { tokens } = customers;
    const { record: made } = (await tokens.rotate(record.id, { graceSeconds: 300 }, ADMIN))!;
    await tokens.update(made.id, { note: 'secret' }, ADMIN);
    const author = asCustomer(id);
    const stale = await tokens.update(made.id, { name: 'x', version: 0 }, author).catch((error) => error);
    const rotated = await tokens.rotate(made.id, { graceSeconds: 300 }, author);
    const answers = [
      await tokens.update(made.id, { name: 'other' }, author),
      await tokens.extend(rotated!.record.id, { expiresInSeconds: 100 * DAY }, author),
      rotated!.record,
      rotated!.previous,
      stale.current,
    ];
    for (const answer of answers) expect(answer).toMatchObject({ createdBy: '', note: null });
    expect((await tokens.get(rotated!.record.id))?.note).toBe('secret');
  });

  test('keeps the own token if the account has another name when an administrator saves it', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    await customers.database.knex('accounts').where({ id }).update({ username: 'renamed' });
    const saved = await customers.tokens.update(record.id, { accountId: id }, ADMIN);
    expect([saved?.origin, saved?.accounts[0]?.username]).toEqual(['account-section', 'renamed']);
    expect(await customers.tokens.revoke(record.id, asCustomer(id))).toMatchObject({ isOwn: true });
  });

  test('neither duplicates tokens, nor revokes those of an account at once, nor changes settings', async () => {
    const id = await customers.account();
    const { record } = await create(id);
    const sentence =
      'An author of the origin account-section may only create, change, extend, rotate and revoke tokens.';
    const { tokens, settings } = customers.panel.api;
    const author = asCustomer(id);
    expect(await refusal(tokens.duplicate(record.id, {}, author))).toBe(sentence);
    expect(await refusal(tokens.revokeAllOf(id, author))).toBe(sentence);
    expect(await refusal(settings.change({ customerTokens: 1000 }, author))).toBe(sentence);
    expect(await refusal(settings.enable(author))).toBe(sentence);
    expect(await refusal(settings.disable(author))).toBe(sentence);
  });

  test('no longer has a token that an administrator has bound to another account, nor has that one', async () => {
    const [id, other] = [await customers.account(), await customers.account()];
    const { record } = await create(id);
    expect((await customers.tokens.update(record.id, { note: 'seen' }, ADMIN))?.origin).toBe(
      'account-section',
    );
    const moved = await customers.tokens.update(record.id, { accountId: other }, ADMIN);
    expect(moved?.origin).toBe('api-section');
    expect((await customers.tokens.get(record.id))?.origin).toBe('api-section');
    expect(await changesOf(record.id, id)).toEqual([null, null, null, null]);
    expect(await changesOf(record.id, other)).toEqual([null, null, null, null]);
  });
});

describe.each(['mariadb', 'postgresql'] as const)('Customers (%s)', (engine) => {
  /** Holds the lock of their creations, as another process does. Returns what releases it. */
  const hold = async ({ database }: Customers) => {
    const transaction = await openHandle(handleSettings(database)).transaction();
    await transaction('panel_api_settings').where({ name: 'last_customer_token' }).update({ value: 'held' });
    return () => transaction.rollback();
  };
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'done',
      ({ message }: Error) => message,
    );

  test('without room, or with five creations under way, wait for no other process', async () => {
    const customers = await startCustomers(engine);
    const create = (id: string) => outcome(customers.tokens.create(REQUEST, asCustomer(id)));
    const [full, busy] = [await customers.account(), await customers.account()];
    for (let made = 0; made < 5; made += 1) await create(full);
    await create(busy);
    const release = await hold(customers);
    const late = 'At most 5 tokens can be created in a minute: wait a minute.';
    const refused = await create(full);
    const waiting = Array.from({ length: 6 }, () => create(busy));
    const first = await Promise.race(waiting);
    await release();
    expect([refused, first]).toEqual([late, late]);
    expect((await Promise.all(waiting)).filter((one) => one === 'done')).toHaveLength(4);
  });

  test('create no more tokens than they may through two mounts at once', async () => {
    const customers = await startCustomers(engine);
    await customers.panel.api.settings.change({ customerTokens: 1 }, ADMIN);
    const id = await customers.account();
    const db = openHandle(handleSettings(customers.database));
    const { tokens } = (await startPanel({ db })).api;
    await tokens.get(1);
    const asksForTurn = new Promise<void>((resolve) =>
      db.on('query', ({ bindings }) => bindings.includes('last_customer_token') && resolve()),
    );
    let second: Promise<unknown> | undefined;
    // Once the first has counted, the second begins, and goes on without a turn if it asks for none.
    delayStatement(customers.database.knex, AFTER_COUNT, () => {
      second ??= outcome(tokens.create(REQUEST, asCustomer(id)));
      return Promise.race([second, asksForTurn]);
    });
    const first = await outcome(customers.tokens.create(REQUEST, asCustomer(id)));
    const refused = 'The number of active tokens of the account is limited to 1: revoke one.';
    expect([first, await second]).toEqual(['done', refused]);
  });

  test('get a token whose times begin when it is created, not when it was asked for', async () => {
    const customers = await startCustomers(engine);
    const id = await customers.account();
    await customers.tokens.create(REQUEST, asCustomer(id));
    const release = await hold(customers);
    const waiting = customers.tokens.create({ ...REQUEST, expiresInSeconds: 600 }, asCustomer(id));
    await sleep(2100);
    const released = Math.floor(Date.now() / 1000);
    await release();
    const { createdAt, expiresAt } = (await waiting).record;
    expect(createdAt).toBeGreaterThanOrEqual(released);
    expect(expiresAt).toBe(createdAt + 600);
  });

  test('get no token after the page that waits for it has given up', async () => {
    const deadlineMs = 3000;
    const customers = await startCustomers(engine, { deadlineMs });
    const id = await customers.account();
    await customers.tokens.create(REQUEST, asCustomer(id));
    const release = await hold(customers);
    const waiting = [1, 2].map(() => outcome(customers.tokens.create(REQUEST, asCustomer(id))));
    await sleep(0.7 * deadlineMs);
    const held = hold(customers);
    await sleep(50);
    await release();
    const releaseAgain = await held;
    await sleep(0.7 * deadlineMs);
    await releaseAgain();
    const late = 'The query tokens.create failed (DEADLINE).';
    expect(await Promise.all(waiting)).toEqual([late, late]);
    expect((await customers.tokens.page({ accountId: id })).tokens).toHaveLength(1);
  });

  test('whose creations wait for another process leave connections to the requests of others', async () => {
    const customers = await startCustomers(engine);
    const { panel, tokens } = customers;
    const token = await panel.token();
    const accounts = [
      await customers.account(),
      await customers.account(),
      await customers.account(),
      await customers.account(),
    ];
    for (const id of accounts) await tokens.create(REQUEST, asCustomer(id));
    const release = await hold(customers);
    const waiting = Array.from({ length: 20 }, (_, index) =>
      tokens.create(REQUEST, asCustomer(accounts[index % 4]!)).catch(() => null),
    );
    try {
      // Of the ten connections of the handle, the module uses five.
      for (let request = 0; request < 30; request += 1)
        expect((await panel.get('/api/v1/me.php', token)).status).toBe(200);
    } finally {
      await release();
    }
    expect((await Promise.all(waiting)).filter(Boolean)).toHaveLength(16);
  });
});

describeEachEngine('A customer of a panel whose table of accounts is missing for a while', (engine) => {
  test('creates nothing', async () => {
    const { tokens, account, database } = await startCustomers(engine);
    const id = await account();
    await tokens.create(REQUEST, asCustomer(id));
    await database.knex.schema.renameTable('accounts', 'moved');
    await expect(tokens.create(REQUEST, asCustomer(id))).rejects.toThrow(
      'The list of accounts cannot be read at the moment.',
    );
  });
});

describeEachEngine('A customer of a panel without a list of accounts', (engine) => {
  test('is known by the id alone', async () => {
    const { tokens, panel } = await startCustomers(engine, { sources: { accounts: false } });
    const { record } = await tokens.create(REQUEST, asCustomer('anna'));
    expect(record.accounts).toEqual([{ id: 'anna', createdAt: null, username: null }]);
    expect(await tokens.revoke(record.id, asCustomer('Anna'))).toBeNull();
    expect(await tokens.extend(record.id, { expiresInSeconds: 100 * DAY }, asCustomer('anna'))).toMatchObject(
      {
        version: 2,
      },
    );
    await panel.api.settings.change({ customerTokens: 1 }, ADMIN);
    await expect(tokens.create(REQUEST, asCustomer('anna'))).rejects.toThrow('is limited to 1');
  });
});
