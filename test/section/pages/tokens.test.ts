import { describeOneEngine } from '../../fixture/databases';
import {
  hiddenFields,
  type SectionPanel,
  shownToken,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';

describeOneEngine('In the API section, a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const review = (fields: Readonly<Record<string, string>>) => `tokens/review?${new URLSearchParams(fields)}`;
  const create = async (fields: Readonly<Record<string, string>>) => {
    const { status, text } = await section.send(review(fields), 'tokens');
    const [newest] = await section.panel.api.tokens.list();
    return { status, text, token: shownToken(text) ?? '', record: newest! };
  };
  /** Sends a form of a page that was opened before. */
  const sendOn = (page: string, action: string, fields: Readonly<Record<string, string>> = {}) =>
    section.send('tokens', action, { ...Object.fromEntries(hiddenFields(page, action)), ...fields });
  const ask = (token: string) => section.panel.get('/api/v1/domains.php', token);

  test('is created by a form, works at once, and is listed without its secret', async () => {
    const { status, token, record } = await create({ name: 'Billing', scope: 'domains.read', expiry: '30' });
    expect([status, record.name, record.createdBy]).toEqual([200, 'Billing', 'ann']);
    expect(record.expiresAt).toBe(record.createdAt + 30 * 86_400);
    expect((await ask(token)).status).toBe(200);
    const { text } = await section.get('tokens');
    expect(text).toContain('Billing');
    for (const path of ['tokens', `tokens/${record.id}`, 'audit', 'audit.json']) {
      expect((await section.get(path)).text).not.toContain(token);
    }
  });

  test('is shown with a curl line that names an endpoint which it may read', async () => {
    const { text, token } = await create({ name: 'x', scope: 'email.read', expiry: '7' });
    expect(wordsOf(text)).toContain(
      `curl -s -H 'Authorization: Bearer ${token}' '${section.panel.url}/api/v1/email.php?limit=5'`,
    );
  });

  test('is summarized in numbers of the live sources before it is created', async () => {
    const { panel, database } = section;
    const before = (await panel.api.tokens.list()).length;
    const { text } = await section.get(review({ name: 'x', scope: '*', expiry: '7' }));
    const [row] = await database.knex('domains').count({ total: '*' });
    expect(wordsOf(text)).toMatch(new RegExp(`Domains ${Number(row!.total)}\\b`));
    expect(wordsOf(text)).toContain('At most 10,000 requests in 3,600 seconds');
    expect((await panel.api.tokens.list()).length).toBe(before);
  });

  test('is summarized with the first three rows of its lists on demand, escaped, which the audit trail records', async () => {
    const { panel, database } = section;
    const rows = ['<b>one</b>', 'two', 'three', 'four'].map((name) => ({
      name,
      engine: 'mariadb',
      account_id: 77,
    }));
    await database.knex('databases').insert(rows);
    await database.knex('accounts').insert({ id: 77, username: 'anna77' });
    const shown = () => panel.api.audit.list({ action: 'lists.shown' });
    const summarize = async (fields: Readonly<Record<string, string>>) => {
      const { text: summary } = await section.send('tokens/new', 'tokens/review', fields);
      return { summary, withRows: (await sendOn(summary, 'tokens/review', { rows: 'yes' })).text };
    };
    const fields = { name: 'x', scope: 'databases.read', account: '77', expiry: '7' };
    const linked = await section.get(review({ ...fields, rows: 'yes' }));
    const empty = await summarize({ ...fields, scope: 'domains.read' });
    expect(wordsOf(empty.withRows)).toContain('There are no rows to show.');
    expect([linked.text.includes('>two<'), await shown()]).toEqual([false, []]);

    const { summary, withRows } = await summarize(fields);
    expect(summary).toContain('>Show the first rows</button>');
    expect(summary).not.toContain('>two<');
    expect(withRows).toMatch(/<details><summary>Databases<\/summary>.*<table class="stacked">/s);
    expect(withRows).toContain('<td data-label="1">&lt;b&gt;one&lt;/b&gt;</td><td data-label="2">two</td>');
    expect(wordsOf(withRows)).not.toContain('four');
    expect(hiddenFields(withRows, 'tokens')).toContainEqual(hiddenFields(summary, 'tokens').at(-1));
    expect(await shown()).toMatchObject([
      { actor: 'ann', details: { lists: ['databases'], account_id: '77' } },
    ]);
  });

  test('is created once by the same values of one form, with the first rows or without', async () => {
    const { text: form } = await section.get('tokens/new');
    const fields = { name: 'Once', scope: 'domains.read', expiry: '7' };
    const summarize = async (typed: typeof fields) => (await sendOn(form, 'tokens/review', typed)).text;
    const summary = await summarize(fields);
    expect((await sendOn(summary, 'tokens')).status).toBe(200);
    const withRows = (await sendOn(summary, 'tokens/review', { rows: 'yes' })).text;
    const { text: changed } = await sendOn(summary, 'tokens/review', { back: 'yes' });
    const { text: unchanged } = await sendOn(changed, 'tokens/review', fields);
    for (const again of [summary, await summarize(fields), withRows, unchanged])
      expect((await sendOn(again, 'tokens')).status).toBe(409);
    expect((await sendOn(await summarize({ ...fields, name: 'Twice' }), 'tokens')).status).toBe(200);
  });

  test('of one account is summarized in what that account holds', async () => {
    await section.database.knex('accounts').insert({ id: 987654, username: 'nobody' });
    const { text } = await section.get(
      review({ name: 'x', scope: '*', account_id: '987654', account: '987654', expiry: '7' }),
    );
    const words = wordsOf(text);
    expect(words).toMatch(/Domains 0\b/);
    expect(words).toMatch(/Not for a token of an account: .*Health, /);
  });

  test.each<[string, Record<string, string>, string]>([
    ['no name', { name: ' ', scope: '*' }, 'name'],
    ['no scope', { name: 'x' }, 'Still missing: scopes'],
    ['an unknown scope', { name: 'x', scope: 'root' }, 'Unknown scope'],
    ['a wrong address', { name: 'x', scope: '*', addresses: '192.0.2.300' }, '192.0.2.300'],
    ['a wrong limit', { name: 'x', scope: '*', rate_limit: '0' }, 'limit'],
    ['a wrong expiry', { name: 'x', scope: '*', expiry: 'soon' }, 'expiry'],
  ])('with %s is refused with a sentence, and the typed values stay', async (_what, fields, sentence) => {
    const { status, text } = await section.get(review({ note: 'kept-as-typed', ...fields }));
    expect(status).toBe(400);
    expect(wordsOf(/role="alert">(.*?)<\/div>/.exec(text)?.[1] ?? '')).toContain(sentence);
    expect(text).toContain('>kept-as-typed</textarea>');
  });

  test.each([
    ['monitoring', ['profile', 'services', 'ssl', 'backups', 'jobs', 'accounts', 'platform']],
    ['billing', ['profile', 'accounts', 'domains', 'websites', 'email', 'databases']],
    ['backup-audit', ['profile', 'backups', 'jobs', 'cron']],
  ])('with the preset %s has exactly its scopes ticked', async (preset, scopes) => {
    const { text } = await section.get(`tokens/new?preset=${preset}`);
    expect(ticked(text)).toEqual(scopes.map((scope) => `${scope}.read`).toSorted());
  });

  test('is offered by purpose, and by scopes under the names of people with their numbers of rows', async () => {
    const { text } = await section.get('tokens/new?preset=everything');
    expect(ticked(text)).toEqual(['*']);
    expect(text).toMatch(/value="everything"[^>]* aria-pressed="true"/);
    expect(wordsOf(text)).toMatch(/Domains domains\.read \d+ rows? Every domain/);
  });

  test('may be restricted to addresses, an account and a limit of its own', async () => {
    const { record, text } = await create({
      name: 'narrow',
      scope: 'domains.read',
      account: '1',
      addresses: '192.0.2.0/24, 2001:db8::1',
      rate_limit: '5',
      expiry: 'never',
    });
    expect(record).toMatchObject({
      accountId: '1',
      allowedAddresses: ['192.0.2.0/24', '2001:db8::1'],
      rateLimit: 5,
      expiresAt: null,
    });
    expect(text).toContain(
      'It works only from these addresses: <code>192.0.2.0/24</code>, <code>2001:db8::1</code>.',
    );
    const words = wordsOf((await section.get(`tokens/${record.id}`)).text);
    for (const fact of ['192.0.2.0/24', '2001:db8::1', 'never']) expect(words).toContain(fact);
    expect(words).toMatch(/ Account (?:\S+ #)?1 /);
  });

  test('is revoked after a confirmation, and refused from then on', async () => {
    const { token, record } = await create({ name: 'short-lived', scope: '*', expiry: '7' });
    const path = `tokens/${record.id}/revoke`;
    expect(wordsOf((await section.get(path)).text)).toContain('You cannot restore a revoked token.');
    expect((await ask(token)).status).toBe(200);
    const { status, headers } = await section.send(path, path);
    expect([status, headers.get('Location')]).toEqual([
      303,
      expect.stringContaining(`../../tokens/${record.id}?done=`),
    ]);
    expect((await ask(token)).body.error?.code).toBe('token_revoked');
    const [entry] = await section.panel.api.audit.list({ tokenId: record.id });
    expect(entry).toMatchObject({ action: 'token.revoked', actor: 'ann', origin: 'api-section' });
  });

  test('is rotated: the new secret works, the old one for the grace time, and both are one lineage', async () => {
    const { token, record } = await create({ name: 'turning', scope: 'domains.read', expiry: '7' });
    const path = `tokens/${record.id}/rotate`;
    const { status, text } = await section.send(path, path, { grace: '3600' });
    const rotated = shownToken(text) ?? '';
    expect(status).toBe(200);
    const old = await section.panel.api.tokens.get(record.id);
    const minute = new Date(old!.expiresAt! * 1000).toISOString().slice(0, 16).replace('T', ' ');
    expect(wordsOf(text)).toContain(
      `Token ${record.id + 1} replaces token ${record.id} , which is valid until ${minute} .`,
    );
    expect([(await ask(token)).status, (await ask(rotated)).status]).toEqual([200, 200]);
    const [newest] = await section.panel.api.tokens.list();
    for (const id of [record.id, newest!.id]) {
      const words = wordsOf((await section.get(`tokens/${id}`)).text);
      expect(words).toContain(`#${record.id}`);
      expect(words).toContain(`#${newest!.id}`);
    }
    expect((await section.send(path, path, { grace: '3600' })).status).toBe(403);
  });

  test('that does not exist has no page', async () => {
    for (const path of ['tokens/999999', 'tokens/999999/revoke', 'tokens/x', 'tokens/1e3', 'tokens/-1']) {
      const { status, text } = await section.get(path);
      expect([status, text.includes('tokens">To all tokens</a>')]).toEqual([404, true]);
    }
  });
});

describe('In a panel that lacks some lists, the form of a new token', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', { sources: { backups: false, jobs: false, cron: false } });
  });

  test('offers no preset for lists that the panel lacks', async () => {
    const { text } = await section.get('tokens/new');
    expect([...text.matchAll(/name="preset" value="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'monitoring',
      'billing',
      'everything',
    ]);
  });

  test('ticks no scope of a list that the panel lacks, and says why', async () => {
    const { text } = await section.get('tokens/new?preset=monitoring');
    const scopes = ['accounts', 'platform', 'profile', 'services', 'ssl'].map((scope) => `${scope}.read`);
    expect(ticked(text)).toEqual(scopes);
    expect(wordsOf(text).match(/not provided by this panel/g)).toHaveLength(3);
  });

  test.each([
    [['backups.read', 'domains.read'], '', 'domains'],
    [['platform.read', 'email.read'], '1', 'email'],
    [['profile.read', 'backups.read'], '', 'me'],
  ])(
    'leads, with %j and the account %j, to a curl line for %s.php that answers 200',
    async (scope, account, name) => {
      const query = new URLSearchParams({ name: 'x', account });
      for (const one of scope) query.append('scope', one);
      const { text } = await section.send(`tokens/review?${query}`, 'tokens');
      const path = new RegExp(`${section.panel.url}(/api/v1/\\w+\\.php)`).exec(text)?.[1] ?? '';
      expect(path).toBe(`/api/v1/${name}.php`);
      expect((await section.panel.get(path, shownToken(text))).status).toBe(200);
    },
  );

  test('leads to no curl line if the token can read nothing in this panel', async () => {
    const { status, text } = await section.send('tokens/review?name=x&scope=backups.read', 'tokens');
    expect([status, shownToken(text) !== undefined, text.includes('curl')]).toEqual([200, true, false]);
  });
});

/** The scopes whose boxes are ticked on the form. */
function ticked(text: string): readonly string[] {
  return [...text.matchAll(/name="scope" value="([^"]*)" checked/g)]
    .map(([, scope = '']) => scope)
    .toSorted();
}
