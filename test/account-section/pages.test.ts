import { createMcp } from '../../index';
import { describeOneEngine, engines } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { type AccountPanel, BERT, CARLA, customer, startAccountPanel } from '../fixture/section/accountPanel';
import { shownToken, wordsOf } from '../fixture/section/sectionPanel';
import { setToken } from '../fixture/tokenRows';

const DAY = 86_400;
const NEW = 'tokens/new';
const FORM = { name: 'Backup script', scope: ['domains.read', 'ssl.read'], expiry: '30' };
const ERIK = customer(5, 'erik');
const GONE = customer(9, 'gone');
const DORA = customer(4, 'dora');

describeOneEngine('The account section', (engine) => {
  let section: AccountPanel;

  beforeAll(async () => {
    section = await startAccountPanel(engine);
  });

  /** Moves the tokens of all accounts out of the last minute, in which an account may create five. */
  const laterOn = async () => {
    for (const { id, createdAt } of await section.panel.api.tokens.list())
      await setToken(section.database.knex, id, { created_at: createdAt - 120 });
  };
  afterEach(laterOn);

  const create = async (fields: object = {}, admin = BERT) => {
    const { status, text } = await section.send(NEW, NEW, { ...FORM, ...fields }, { admin });
    const token = shownToken(text);
    const record = token === undefined ? null : await section.panel.api.tokens.find(token);
    return { status, text, token, record };
  };

  const made = async (fields: object = {}, admin = BERT) => {
    const { record, text } = await create(fields, admin);
    if (!record) throw new Error(wordsOf(text));
    return record;
  };

  test('begins with the list of tokens', async () => {
    const { status, headers } = await section.get('');
    expect([status, headers.get('Location')]).toEqual([303, 'tokens']);
    expect((await section.get('tokens')).text).toContain('<h1>Tokens</h1>');
  });

  test('creates a token of the own account, with what was chosen, and shows it once', async () => {
    const { status, token, record, text } = await create({ addresses: '192.0.2.7' });
    expect([status, record]).toEqual([
      200,
      expect.objectContaining({
        name: 'Backup script',
        scopes: ['domains.read', 'ssl.read'],
        accountId: '2',
        owner: false,
        note: null,
        rateLimit: null,
        allowedAddresses: ['192.0.2.7'],
        createdBy: 'bert',
        origin: 'account-section',
      }),
    ]);
    expect(record!.expiresAt! - record!.createdAt).toBe(30 * DAY);
    expect(wordsOf(text)).toContain('It works only from these addresses: 192.0.2.7');
    expect((await section.get(`tokens/${record!.id}`)).text).not.toContain(token);
    await section.panel.api.tokens.revoke(record!.id, AUTHOR);
  });

  test('gives a request that works', async () => {
    const { token, text, record } = await create({ scope: 'domains.read' });
    const [, url = ''] = /'(http:[^']*)'<\/textarea>/.exec(text.replaceAll('&#39;', "'")) ?? [];
    const { pathname, search } = new URL(url);
    const answer = await section.panel.get(pathname + search, token);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      200,
      expect.stringContaining('bert.example'),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('carla.example');
    await section.panel.api.tokens.revoke(record!.id, AUTHOR);
  });

  test('gives the lines of a program, and those of assistants only if they may read', async () => {
    const first = await create();
    expect(wordsOf(first.text)).toContain("import { createClient } from 'koa-panel-api/client'");
    expect(wordsOf(first.text)).toContain('for await (const item of client.domains()) console.log(item);');
    expect(first.text).not.toContain('For an assistant');
    createMcp({ api: section.panel.api });
    await section.panel.api.settings.change({ assistantsEnabled: true }, AUTHOR);
    const second = await create({ name: 'Assistant' });
    expect(second.text).toContain('For an assistant');
    expect(second.text.replace(second.token!, '').replace(second.token!, '')).not.toContain(second.token);
    for (const { record } of [first, second]) await section.panel.api.tokens.revoke(record!.id, AUTHOR);
  });

  test('offers the scopes that the settings allow and a token of the account can read', async () => {
    const { settings } = section.panel.api;
    const scopesIn = async () =>
      [...(await section.get(NEW)).text.matchAll(/name="scope" value="([^"]*)"/g)].map(([, scope]) => scope);
    expect(await scopesIn()).toEqual(['domains.read', 'websites.read', 'ssl.read']);
    await settings.change({ customerScopes: ['*', 'domains.read', 'services.read'] }, AUTHOR);
    expect(await scopesIn()).toEqual(['domains.read', '*']);
    await settings.change({ customerScopes: ['domains.read'] }, AUTHOR);
    expect((await section.get(NEW)).text).toMatch(/value="domains.read" checked/);
    await settings.change({ customerScopes: ['domains.read', 'websites.read', 'ssl.read'] }, AUTHOR);
  });

  test('counts the rows of the own account beside each scope', async () => {
    const { text } = await section.get(NEW);
    expect(wordsOf(text)).toMatch(/Domains domains\.read 1 row /);
  });

  test('offers no longer life than the settings allow customers', async () => {
    const { settings } = section.panel.api;
    const expiries = async () =>
      [...(await section.get(NEW)).text.matchAll(/name="expiry" value="([^"]*)"/g)].map(([, days]) => days);
    expect(await expiries()).toEqual(['7', '30', '90', '365', 'date']);
    await settings.change({ customerExpiryDays: 60 }, AUTHOR);
    expect(await expiries()).toEqual(['7', '30', '60', 'date']);
    await settings.change({ customerExpiryDays: 365 }, AUTHOR);
  });

  test('says why a value is refused, beside its field, and keeps what was typed', async () => {
    const { status, text, record } = await create({ name: 'x', scope: [], addresses: '' });
    expect([status, record]).toEqual([400, null]);
    const sentence = 'Choose at least one of the scopes that are offered, and no other.';
    expect(text).toContain('Choose at least one scope.');
    expect((await create({ scope: 'email.read' })).text).toContain(sentence);
    expect(text).toContain('id="name" name="name" aria-describedby="name-hint" value="x"');
    expect(text).toMatch(/id="scope" aria-invalid="true"/);
  });

  test('adds the own address without a script', async () => {
    const { text } = await section.send(NEW, NEW, { ...FORM, add_address: '192.0.2.9' });
    expect(text).toContain('>192.0.2.9</textarea>');
    expect(text).toContain('value="Backup script"');
  });

  test('creates one token from a form that is sent twice', async () => {
    const page = (await section.get(NEW)).text;
    const form_token = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const first = await create({ form_token, name: 'Once' });
    const second = await create({ form_token, name: 'Once' });
    expect([first.status, second.status, second.token]).toEqual([200, 409, undefined]);
    expect(second.text).toContain(`tokens/${first.record!.id}"`);
    await section.panel.api.tokens.revoke(first.record!.id, AUTHOR);
  });

  test('refuses more tokens than the settings allow, and offers no form', async () => {
    const { settings, tokens } = section.panel.api;
    await settings.change({ customerTokens: 1 }, AUTHOR);
    const { id } = await made({ name: 'Only' }, CARLA);
    const list = await section.get('tokens', { admin: CARLA });
    expect(wordsOf(list.text)).toContain('Active tokens that you created: 1 of at most 1.');
    expect(list.text).not.toContain('tokens/new');
    const form = await section.get(NEW, { admin: CARLA });
    expect([form.status, form.text.includes('<form')]).toEqual([403, false]);
    await tokens.revoke(id, AUTHOR);
    expect((await section.get(NEW, { admin: CARLA })).status).toBe(200);
    await settings.change({ customerTokens: 5 }, AUTHOR);
  });

  test.each([
    ['is suspended', ERIK, 'Your account is suspended, so you cannot create tokens.'],
    ['is gone', GONE, 'Your account is not in the list of accounts of this panel'],
  ])('shows a sentence to an account that %s, and no form', async (_what, admin, sentence) => {
    for (const path of ['tokens', NEW]) {
      const { text } = await section.get(path, { admin });
      expect(text).toContain(sentence);
      expect(text).not.toContain('<form');
    }
  });

  test('says that no scope is offered if the customer could read nothing with those that are allowed', async () => {
    const { settings } = section.panel.api;
    const { customerScopes } = await settings.read();
    await settings.change({ customerScopes: ['services.read'] }, AUTHOR);
    const { text } = await section.get(NEW);
    expect(text).toContain('This panel lists nothing yet that a token of your account could read.');
    expect(text).not.toContain('type="checkbox"');
    await settings.change({ customerScopes }, AUTHOR);
  });

  test('still shows and revokes the tokens of a customer after customers may create none any more', async () => {
    const { settings, tokens } = section.panel.api;
    const { id } = await made({ name: 'Before' });
    await settings.change({ customerScopes: [] }, AUTHOR);
    const { text } = await section.get('tokens');
    expect(wordsOf(text)).toContain(
      'Tokens cannot be created, extended or rotated on this panel at the moment.',
    );
    expect(text).toContain('Before');
    expect(text).not.toMatch(/tokens\/(?:new|\d+\/(?:extend|rotate))/);
    for (const action of ['extend', 'rotate'])
      expect((await section.get(`tokens/${id}/${action}`)).headers.get('Location')).toBe(
        `../../tokens/${id}`,
      );
    const path = `tokens/${id}/revoke`;
    expect((await section.send(path, path)).status).toBe(303);
    expect((await tokens.get(id))?.state).toBe('revoked');
    await settings.change({ customerScopes: ['domains.read', 'websites.read', 'ssl.read'] }, AUTHOR);
  });

  test('extends, rotates and revokes a token, and shows what was done with it', async () => {
    const { tokens } = section.panel.api;
    const { id, expiresAt } = await made({ name: 'Whole life' });
    const [extend, rotate, revoke] = ['extend', 'rotate', 'revoke'].map((action) => `tokens/${id}/${action}`);
    const later = String(expiresAt! + 30 * DAY);
    expect((await section.send(extend!, extend!, { expires_at: later })).status).toBe(303);
    const rotated = await section.send(rotate!, rotate!, { grace: '3600', expiry: 'keep' });
    const replacement = await tokens.find(shownToken(rotated.text) ?? '');
    expect(replacement).toMatchObject({ accountId: '2', lineage: id, origin: 'account-section' });
    const revoked = await section.follow(revoke!, await section.send(revoke!, revoke!));
    expect(wordsOf(revoked.text)).toContain('1 token is revoked: Whole life.');
    const page = wordsOf((await section.get(`tokens/${id}`)).text);
    for (const word of ['created', 'extended', 'rotated', 'revoked'])
      expect(page).toContain(`bert ${word} a token`);
    await tokens.revoke(replacement!.id, AUTHOR);
  });

  test('shows the last use, and the requests of 30 days in the list and on the page of the token', async () => {
    const { token, record } = await create({ name: 'Used', scope: 'domains.read' });
    await section.panel.get('/api/v1/domains.php', token);
    await section.panel.api.usage.flush();
    const list = wordsOf((await section.get('tokens')).text);
    expect(list).toMatch(/Used pnl_\S+ #\d+ domains\.read \S.*? in 30 days 1 /);
    const page = wordsOf((await section.get(`tokens/${record!.id}`)).text);
    expect(page).toContain('1 request');
    expect((await section.get(`tokens/${record!.id}/usage.csv`)).text).toContain('domains');
    await section.panel.api.tokens.revoke(record!.id, AUTHOR);
  });

  test('lets a reseller include the accounts of customers only if the settings allow it', async () => {
    const { settings, tokens } = section.panel.api;
    const form = async () => (await section.get(NEW, { admin: DORA })).text;
    expect(await form()).not.toContain('name="owner"');
    await settings.change({ customerOwner: true }, AUTHOR);
    expect(await form()).toContain('name="owner"');
    const { id, owner } = await made({ owner: 'yes' }, DORA);
    expect(owner).toBe(true);
    expect(wordsOf((await section.get(`tokens/${id}`, { admin: DORA })).text)).toContain('of my customers');
    await settings.change({ customerOwner: false }, AUTHOR);
    expect(wordsOf((await section.get(`tokens/${id}`, { admin: DORA })).text)).toContain(
      'The settings now allow less. A new token could not have: ',
    );
    await tokens.revoke(id, AUTHOR);
  });

  test("shows administrators' tokens of the account as the settings say, without their notes", async () => {
    const { settings, tokens } = section.panel.api;
    const request = { name: 'Invoices', note: 'Pays late', scopes: ['domains.read'], accountId: 2 };
    const { record, token } = await tokens.create(request, AUTHOR);
    await section.panel.get('/api/v1/domains.php', token);
    const [list, page, revoke] = ['tokens', `tokens/${record.id}`, `tokens/${record.id}/revoke`];
    const shown = async () =>
      [(await section.get(list!)).text, (await section.get(page!)).text].map(wordsOf).join();
    expect(await shown()).toContain('Token of an administrator');
    expect(await shown()).not.toMatch(/Invoices|Pays late|tester|127\.0\.0\.1/);
    expect((await section.get(revoke!)).status).toBe(404);
    await settings.change({ administratorsTokens: 'named' }, AUTHOR);
    expect(await shown()).toContain('Invoices');
    expect((await section.get(revoke!)).status).toBe(404);
    await settings.change({ administratorsTokens: 'revocable' }, AUTHOR);
    expect(await shown()).not.toMatch(/Pays late|tester/);
    for (const action of ['extend', 'rotate'])
      expect((await section.get(`${page}/${action}`)).headers.get('Location')).toBe(
        `../../tokens/${record.id}`,
      );
    expect((await section.send(revoke!, revoke!)).status).toBe(303);
    expect(await tokens.get(record.id)).toMatchObject({ state: 'revoked', revokedBy: 'bert' });
    await settings.change({ administratorsTokens: 'unnamed' }, AUTHOR);
  });

  test('names no administrator in the history of a token', async () => {
    const { tokens } = section.panel.api;
    const { id } = await made({ name: 'Changed' }, customer(2, 'bert', 'Anna Admin'));
    const ann = { actor: 'Anton Admin', origin: 'api-section', address: '198.51.100.7' } as const;
    await tokens.update(id, { note: 'Watch this one', scopes: ['domains.read'] }, ann);
    const { text } = await section.get(`tokens/${id}`);
    expect(wordsOf(text)).toMatch(/Administrator changed a token/);
    expect(text).not.toMatch(/Anna|Anton|198\.51\.100\.7|Watch this/);
    const [entry] = await section.panel.api.audit.list({ tokenId: id, action: 'token.created' });
    expect(entry).toMatchObject({ actor: 'bert', origin: 'account-section', details: { by: 'Anna Admin' } });
    await tokens.revoke(id, AUTHOR);
  });

  test('shows nothing of the time in which a token was bound to another account', async () => {
    const { tokens } = section.panel.api;
    const { id } = await made({ name: 'Wandered' }, CARLA);
    await tokens.update(id, { accountId: 2 }, AUTHOR);
    const { text } = await section.get(`tokens/${id}`);
    expect(wordsOf(text)).toContain('Token of an administrator');
    expect(text).not.toMatch(/Wandered|carla|changed a token|created a token/);
    expect((await section.get(`tokens/${id}`, { admin: CARLA })).status).toBe(404);
    await tokens.revoke(id, AUTHOR);
  });

  test("shows nothing of how and from where administrators' tokens are used", async () => {
    const { settings, tokens, usage } = section.panel.api;
    const allowedAddresses = ['127.0.0.0/8', '::/0'];
    const request = { name: 'Rebound', scopes: ['domains.read'], accountId: 3, allowedAddresses };
    const { token, record } = await tokens.create(request, AUTHOR);
    for (const list of ['domains', 'backups']) await section.panel.get(`/api/v1/${list}.php`, token);
    await usage.flush();
    await settings.change({ administratorsTokens: 'revocable' }, AUTHOR);
    await tokens.update(record.id, { accountId: 2 }, AUTHOR);
    const path = `tokens/${record.id}`;
    const [page = '', list = '', revoke = ''] = await Promise.all(
      [path, 'tokens', `${path}/revoke`].map(async (one) => wordsOf((await section.get(one)).text)),
    );
    expect(page).toContain('Rebound');
    expect(page).not.toMatch(
      /Last used|Allowed addresses|127\.0|Requests|domains\.php|backups|missing_scope/,
    );
    expect(list).toMatch(/Rebound pnl_\S+ #\d+ domains\.read – in 90 days –/);
    expect(revoke).toMatch(/Rebound #\d+ pnl_/);
    expect(revoke).not.toMatch(/Last used|Requests today/);
    expect((await section.get(`${path}/usage.csv`)).status).toBe(404);
    await settings.change({ administratorsTokens: 'unnamed' }, AUTHOR);
    await tokens.revoke(record.id, AUTHOR);
  });

  test('says to an administrator who acts as a customer who is signed in', async () => {
    const { text } = await section.get('tokens', { admin: customer(2, 'bert', 'Anna Admin') });
    expect(wordsOf(text)).toContain('Signed in as bert (Anna Admin)');
  });

  test('says that the API is off, without a link that a customer cannot follow', async () => {
    const own = await startAccountPanel(engine, { enabled: false });
    const { text } = await own.get('tokens');
    expect(wordsOf(text)).toContain('The API is off');
  });

  test('speaks the language of the browser', async () => {
    const german = await startAccountPanel(engines[0]!, {}, { languages: { en: {}, de: {} } });
    const headers = { 'Accept-Language': 'de' };
    const pages = [(await german.get('tokens', { headers })).text, (await german.get(NEW, { headers })).text];
    expect(pages.map(wordsOf)).toEqual([
      expect.stringContaining('die Daten Ihres Kontos lesen'),
      expect.stringContaining('Nur die Daten Ihres eigenen Kontos.'),
    ]);
    expect((await german.get('tokens', { admin: null, headers })).text).toContain('Melden Sie sich an');
  });
});
