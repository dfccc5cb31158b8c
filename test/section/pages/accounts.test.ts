import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { AUTHOR } from '../../fixture/panel';
import {
  hiddenFields,
  type SectionPanel,
  shownToken,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';

const ACCOUNTS = [
  { id: 70, username: 'annegret', name: 'Anne Example', role: 'customer', status: 'active' },
  { id: 71, username: 'anders', name: 'Anders Example', role: 'customer', status: 'active' },
  // A login name that is another account's id.
  { id: 72, username: '70', name: 'Seventy', role: 'customer', status: 'active' },
];

const LONGER_THAN_A_SEARCH_MS = 2500;

describe('The account of a token', () => {
  test('is named on its page if it is refused, and its form binds the token anew after a review', async () => {
    const section = await startSectionPanel('sqlite');
    const accounts = () => section.database.knex('accounts').where({ id: 80 });
    await section.database
      .knex('accounts')
      .insert({ id: 80, username: 'old', status: 'active', owner_id: null });
    const { tokens } = section.panel.api;
    const { record } = await tokens.create({ name: 'x', scopes: ['*'], accountId: 80, owner: true }, AUTHOR);
    const page = async () => wordsOf((await section.get(`tokens/${record.id}`)).text);
    expect(await page()).not.toContain('not served');
    await accounts().update({ username: 'new' });
    expect(await page()).toContain('The id 80 belongs to another account now');
    const path = `tokens/${record.id}/edit`;
    const review = await section.send(path, path, { name: 'x', scope: '*', account: '80', owner: 'yes' });
    expect(wordsOf(review.text)).toMatch(/80 old.*80 new/);
    expect(await tokens.get(record.id)).toMatchObject({ version: record.version });
    await section.send(path, path, {
      ...Object.fromEntries(hiddenFields(review.text, path)),
      reviewed: 'yes',
    });
    expect(await tokens.get(record.id)).toMatchObject({
      accounts: [{ id: '80', username: 'new' }],
      owner: true,
    });
    await accounts().update({ status: 'suspended' });
    expect(await page()).toContain('Account 80 is suspended');
    await accounts().delete();
    expect(await page()).toContain('Account 80 is not in the list of accounts any more');
  });
});

describe('The account of a new token', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    await section.database.knex('accounts').insert(ACCOUNTS);
  });

  const review = (account: string, more: Readonly<Record<string, string>> = {}) =>
    section.get(
      `tokens/review?${new URLSearchParams({ name: 'x', scope: 'domains.read', account, ...more })}`,
    );
  const choices = (text: string) =>
    [...text.matchAll(/name="account_id" value="([^"]*)"/g)].map(([, id]) => id);

  test.each([
    ['its login name', 'annegret', 'annegret (Anne Example) #70'],
    ['its id', '71', 'anders (Anders Example) #71'],
  ])('is found by %s, and summarized by its name', async (_how, typed, shown) => {
    const { status, text } = await review(typed);
    expect([status, wordsOf(text).includes(shown)]).toEqual([200, true]);
  });

  test('is chosen among those whose names begin with what was typed', async () => {
    const { status, text } = await review('an');
    expect(status).toBe(400);
    expect(wordsOf(text)).toContain('No account has exactly the name or id “an”.');
    expect(choices(text)).toEqual(['1', '70', '71']);
  });

  test('is chosen if the text is an id of one and the name of another', async () => {
    const { status, text } = await review('70');
    expect([status, choices(text)]).toEqual([400, ['70', '72']]);
  });

  test('is refused if the list does not have its id', async () => {
    const { status, text } = await review('987654', { account_id: '987654' });
    expect([status, wordsOf(text).includes('The list of accounts has no account 987654.')]).toEqual([
      400,
      true,
    ]);
  });

  test('may be one of several, each by its name or id', async () => {
    const { status, text } = await review('annegret, 71');
    expect([status, wordsOf(text).includes('Of annegret #70 , anders #71 ')]).toEqual([200, true]);
    expect((await review('annegret, nobody')).status).toBe(400);
    expect((await review('annegret, 71', { owner: 'yes' })).status).toBe(400);
  });

  test('may own others, if the list of accounts says so', async () => {
    expect((await section.get('tokens/new')).text).toContain('name="owner"');
    const { text } = await review('annegret', { owner: 'yes' });
    expect(wordsOf(text)).toContain('Of annegret #70 , and the accounts that it owns');
    const ownerless = await startSectionPanel('sqlite', {
      sources: { accounts: { fields: { owner_id: false } } },
    });
    expect((await ownerless.get('tokens/new')).text).not.toContain('name="owner"');
  });

  test('is stored as the id', async () => {
    const page = `tokens/review?${new URLSearchParams({ name: 'x', scope: 'domains.read', account: 'annegret' })}`;
    expect(shownToken((await section.send(page, 'tokens')).text)).toBeDefined();
    expect((await section.panel.api.tokens.list())[0]?.accountId).toBe('70');
  });

  test('is found by its login name or id in the list of tokens, which then says both', async () => {
    for (const account of ['annegret', '70']) {
      const { text } = await section.get(`tokens?account=${account}`);
      expect(text).toContain('aria-label="Remove the filter Account: annegret #70"');
      expect(text).toContain('<a href="tokens?account=70">annegret <small>#70</small></a>');
    }
  });

  test('is suggested by the beginning of its name, twenty at most', async () => {
    const { headers, text } = await section.get('tokens/accounts.json?search=anneg');
    expect(JSON.parse(text)).toEqual([{ id: '70', username: 'annegret', holder: 'Anne Example' }]);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const all = JSON.parse((await section.get('tokens/accounts.json?search=')).text);
    expect(all.length).toBeLessThanOrEqual(20);
    expect((await section.get('tokens/accounts.json?search=anneg', { admin: null })).status).toBe(403);
  });
});

test('The account of a new token is typed as an id if the panel has no list of accounts', async () => {
  const section = await startSectionPanel('sqlite', { sources: { accounts: false } });
  const { text } = await section.get('tokens/new');
  expect([text.includes('data-suggest'), wordsOf(text).includes('Id of the account')]).toEqual([false, true]);
  const { status } = await section.get('tokens/review?name=x&scope=domains.read&account=anyone');
  expect(status).toBe(200);
});

test('A form goes to its summary without its values in the URL, and comes back with them', async () => {
  const section = await startSectionPanel('sqlite');
  const typed = { name: 'Secret plan', scope: 'domains.read', note: 'of a customer', expiry: '30' };
  const review = await section.send('tokens/new', 'tokens/review', typed);
  expect([review.status, wordsOf(review.text).includes('Secret plan')]).toEqual([200, true]);
  expect(review.text).not.toMatch(/(?:href|action)="[^"]*Secret/);
  const fields = Object.fromEntries(hiddenFields(review.text, 'tokens/review'));
  const back = await section.send('tokens', 'tokens/review', { ...fields, back: 'yes' });
  expect(back.text).toContain('value="Secret plan"');
  expect(back.text).toContain('>of a customer</textarea>');
  expect(Object.fromEntries(hiddenFields(review.text, 'tokens'))).toMatchObject(typed);
});

describe('While the table of accounts is locked', () => {
  let section: SectionPanel;
  let holder: Knex.Transaction;

  const search = () => section.get('tokens/accounts.json?search=a');

  beforeAll(async () => {
    section = await startSectionPanel('postgresql', { deadlineMs: 5000 });
    await section.database.knex('accounts').insert(ACCOUNTS);
  });

  beforeEach(async () => {
    // The columns of the list are looked at before.
    await search();
    holder = await section.database.knex.transaction();
    await holder.raw('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
  });

  afterEach(() => holder.rollback());

  test('many searches leave connections to the requests', async () => {
    const token = await section.panel.token();
    const searches = Promise.all(Array.from({ length: 20 }, search));
    const sql = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'accounts'::regclass";
    const doWait = async () => (await holder.raw(sql)).rows[0].count > 1;
    await until(doWait);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => section.panel.get('/api/v1/me.php', token)),
    );
    expect([await doWait(), ...answers.map(({ status }) => status)]).toEqual([true, 200, 200, 200]);
    await holder.rollback();
    await searches;
  });

  test('a login name is not taken for an id', async () => {
    const query = new URLSearchParams({ name: 'x', scope: 'domains.read', account: '70' });
    const page = section.get(`tokens/review?${query}`);
    await sleep(LONGER_THAN_A_SEARCH_MS);
    await holder.rollback();
    expect(wordsOf((await page).text)).toContain('The list of accounts cannot be read at the moment.');
  });
});
