import { describeOneEngine } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { type AccountPanel, BERT, CARLA, customer, startAccountPanel } from '../fixture/section/accountPanel';
import { hiddenFields, shownToken } from '../fixture/section/sectionPanel';

const NEW = 'tokens/new';
const FORM = { name: 'Script', scope: 'domains.read', expiry: '30' };

describeOneEngine('The account section', (engine) => {
  let section: AccountPanel;
  /** Tokens of carla, of all accounts, and of bert and carla. */
  let foreign: readonly number[];

  beforeAll(async () => {
    section = await startAccountPanel(engine);
    const { tokens } = section.panel.api;
    const carla = { actor: 'carla', origin: 'account-section', accountId: 3 } as const;
    const created = [
      await tokens.create({ name: 'Of carla', scopes: ['domains.read'] }, carla),
      await tokens.create({ name: 'Of carla too', scopes: ['*'], accountId: 3 }, AUTHOR),
      await tokens.create({ name: 'Of all', scopes: ['*'] }, AUTHOR),
      await tokens.create({ name: 'Of both', scopes: ['*'], accountIds: [2, 3] }, AUTHOR),
    ];
    foreign = created.map(({ record }) => record.id);
  });

  // When a record was read is not part of the stored token.
  const stored = async () => [
    (await section.panel.api.tokens.list()).map((token) => ({ ...token, readAt: null })),
    await section.panel.api.audit.list(),
  ];

  const made = async (admin = BERT) => {
    const { text } = await section.send(NEW, NEW, FORM, { admin });
    return (await section.panel.api.tokens.find(shownToken(text) ?? ''))!;
  };

  const PAGES = ['', 'tokens', NEW, 'tokens/9', 'tokens/9/usage.csv', 'tokens/9/extend', 'tokens/9/rotate'];

  test.each([...PAGES, 'assets/section.css', 'assets/section.js'])(
    'lets no cache, frame or referrer have %s, and runs its own script alone',
    async (path) => {
      const { headers } = await section.get(path);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http/);
    },
  );

  test.each(PAGES)('shows %s only to a customer that the panel names', async (path) => {
    const { status, text } = await section.get(path, { admin: null });
    expect([status, text.includes('Sign in to see the tokens of your account.')]).toEqual([403, true]);
    expect(text).not.toMatch(/<nav|<footer/);
  });

  test('reads nothing for a person who is not signed in', async () => {
    const statements: string[] = [];
    const listener = ({ sql }: { readonly sql: string }) => statements.push(sql);
    section.database.knex.on('query', listener);
    for (const path of PAGES) await section.get(`${path}?done=x`, { admin: null });
    section.database.knex.off('query', listener);
    expect(statements).toEqual([]);
  });

  test('has no page of the section for administrators', async () => {
    for (const path of [
      'settings',
      'audit',
      'audit.csv',
      'reference',
      'restored',
      'tokens/find',
      'tokens/accounts.json',
    ])
      expect([path, (await section.get(path)).status]).toEqual([path, 404]);
    const { id } = await made();
    for (const action of ['edit', 'duplicate'])
      expect((await section.get(`tokens/${id}/${action}`)).status).toBe(404);
  });

  test('answers for a token of another account as for one that does not exist', async () => {
    const shape = async (id: number | string, action: string) => {
      const { status, text, headers } = await section.get(`tokens/${id}${action}`);
      return [status, text.replace(/\b\d+\b/g, ''), headers.get('Location'), headers.get('Content-Type')];
    };
    for (const action of ['', '/usage.csv', '/extend', '/rotate', '/revoke']) {
      const unknown = await shape(987_654, action);
      expect(unknown[0]).toBe(404);
      for (const id of foreign) expect([id, await shape(id, action)]).toEqual([id, unknown]);
    }
  });

  test('sends the same statements for a token of another account as for one that does not exist', async () => {
    const statementsFor = async (id: number) => {
      const statements: string[] = [];
      const listener = ({ sql }: { readonly sql: string }) => statements.push(sql);
      section.database.knex.on('query', listener);
      for (const action of ['', '/extend', '/revoke']) await section.get(`tokens/${id}${action}`);
      section.database.knex.off('query', listener);
      return statements;
    };
    const unknown = await statementsFor(987_654);
    expect(unknown.length).toBeGreaterThan(0);
    for (const id of foreign) expect(await statementsFor(id)).toEqual(unknown);
  });

  test('changes no token of another account, whose id is put into a form of its own', async () => {
    const { id } = await made();
    const before = await stored();
    for (const action of ['extend', 'rotate', 'revoke'])
      for (const other of [...foreign, 987_654]) {
        const form = Object.fromEntries(
          hiddenFields((await section.get(`tokens/${id}/${action}`)).text, `tokens/${id}/${action}`),
        );
        const path = `tokens/${other}/${action}`;
        const fields = { ...form, id: String(other), expires_at: '2999-01-01', grace: '300', expiry: '7' };
        const { status } = await section.send('tokens', path, fields);
        expect([action, other, status]).toEqual([action, other, 403]);
      }
    expect(await stored()).toEqual(before);
  });

  test('takes the account from the panel, and never from the form or the address of the page', async () => {
    const forged = {
      account: '3',
      account_id: '3',
      accountId: '3',
      accountIds: '3',
      note: 'x',
      rate_limit: '9',
    };
    const query = new URLSearchParams({ ...forged, name: 'Forged' });
    const { text } = await section.send(`${NEW}?${query}`, NEW, { ...FORM, ...forged, name: 'Forged' });
    const record = await section.panel.api.tokens.find(shownToken(text) ?? '');
    expect(record).toMatchObject({
      name: 'Forged',
      accountId: '2',
      owner: false,
      note: null,
      rateLimit: null,
    });
  });

  test.each<[string, object]>([
    ['all of them', { scope: '*' }],
    ['one that the settings do not allow', { scope: ['domains.read', 'email.read'] }],
    ['the accounts of customers', { owner: 'yes' }],
    ['no end', { expiry: 'never' }],
    ['a longer life', { expiry: '366' }],
    ['a later date', { expiry: 'date', expiry_date: '2999-01-01' }],
  ])('creates no token whose form asks for %s', async (_what, fields) => {
    const before = await stored();
    const { status, text } = await section.send(NEW, NEW, { ...FORM, ...fields });
    expect([status, shownToken(text)]).toEqual([400, undefined]);
    expect(await stored()).toEqual(before);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    ['no page at all', { 'Sec-Fetch-Site': 'none' }],
    ['a browser that says another Origin', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }],
    ['a program that says nothing', { 'Sec-Fetch-Site': '' }],
  ])('takes no form from %s, and writes nothing', async (_who, headers) => {
    const before = await stored();
    const { status, text } = await section.send(NEW, NEW, FORM, { headers });
    expect([status, shownToken(text)]).toEqual([403, undefined]);
    expect(await stored()).toEqual(before);
  });

  test('refuses the form of another customer, of another name, of an administrator and of another page', async () => {
    const tokenOf = async (
      path: string,
      action: string,
      visits: AccountPanel['admin'] = section,
      admin?: string,
    ) => {
      const { text } = await visits.get(path, admin === undefined ? {} : { admin });
      return String(new Map(hiddenFields(text, action)).get('form_token'));
    };
    const { id } = await made();
    const revoke = `tokens/${id}/revoke`;
    const forged = [
      await tokenOf(NEW, NEW, section, CARLA),
      await tokenOf(NEW, NEW, section, customer(3, 'bert')),
      await tokenOf(NEW, NEW, section, customer(2, 'bert', 'anna')),
      await tokenOf(revoke, revoke),
      await tokenOf('tokens/review?name=x&scope=*', 'tokens', section.admin, 'bert'),
    ];
    const before = await stored();
    for (const form_token of forged) {
      expect(form_token.length).toBeGreaterThan(60);
      const { status, text } = await section.send(NEW, NEW, { ...FORM, form_token });
      expect([status, shownToken(text)]).toEqual([403, undefined]);
    }
    const form_token = await tokenOf(NEW, NEW);
    const sent = await section.admin.send(
      'tokens/review?name=x&scope=*',
      'tokens',
      { form_token },
      { admin: 'bert' },
    );
    expect(sent.status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  test('takes the id of the account as the panel writes it, a number or a text', async () => {
    const { status } = await section.get('tokens', { admin: JSON.stringify('2') });
    expect(status).toBe(200);
    expect((await section.get('tokens', { admin: JSON.stringify(2) })).status).toBe(200);
  });

  test('shows a hostile name harmlessly to the customer and to administrators', async () => {
    const name = `<script>alert("x")</script><b title='a'>`;
    const { text } = await section.send(NEW, NEW, { ...FORM, name }, { admin: CARLA });
    const record = await section.panel.api.tokens.find(shownToken(text) ?? '');
    expect(record?.name).toBe(name);
    const hostile = customer(3, '<i>carla</i>\u202e');
    await section.get('tokens', { admin: hostile });
    for (const page of ['tokens', `tokens/${record!.id}`, `tokens/${record!.id}/revoke`, 'audit', '']) {
      const shown = await section.admin.get(page);
      expect([page, shown.text]).toEqual([
        page,
        expect.not.stringMatching(/<script>|<b title|<i>carla|\u202e/),
      ]);
    }
    for (const page of ['tokens', `tokens/${record!.id}`])
      expect((await section.get(page, { admin: hostile })).text).not.toMatch(
        /<script>|<b title|<i>carla|\u202e/,
      );
  });
});
