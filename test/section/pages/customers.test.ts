import { describeOneEngine } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { type AccountPanel, startAccountPanel } from '../../fixture/section/accountPanel';
import { wordsOf } from '../../fixture/section/sectionPanel';

const CUSTOMER = { actor: 'bert', origin: 'account-section', accountId: 2 } as const;

describeOneEngine('For administrators, the API section', (engine) => {
  let section: AccountPanel;

  beforeAll(async () => {
    section = await startAccountPanel(engine);
    const { tokens } = section.panel.api;
    await tokens.create(
      { name: 'Of bert', scopes: ['domains.read', 'ssl.read'], expiresInSeconds: 86_400 },
      CUSTOMER,
    );
    await tokens.create({ name: 'Of the panel', scopes: ['domains.read'], accountId: 2 }, AUTHOR);
  });

  const get = async (path: string) => (await section.admin.get(path)).text;

  test('filters the tokens by who created them, and says it of those of customers', async () => {
    const [all, customers, panel] = [
      await get('tokens'),
      await get('tokens?origin=account-section'),
      await get('tokens?origin=panel'),
    ];
    expect(all.match(/data-id=/g)).toHaveLength(2);
    expect(wordsOf(all)).toMatch(/Of bert pnl_\S+ #1 .*? #2 customer's/);
    expect(customers).toMatch(/Of bert/);
    expect(customers).not.toContain('Of the panel');
    expect(customers).toContain('<span class="count">1</span>');
    expect(customers).toContain('<a href="tokens" aria-label="Remove the filter');
    expect(panel).not.toContain('Of bert');
    expect((await section.admin.get('tokens?origin=unknown')).status).toBe(400);
  });

  test('leads from the tokens of one customer to their end', async () => {
    const { tokens } = section.panel.api;
    const ids = [];
    for (const name of ['First', 'Second'])
      ids.push(
        (await tokens.create({ name, scopes: ['domains.read'] }, { ...CUSTOMER, accountId: 3 })).record.id,
      );
    const list = await get('tokens?account=3&origin=account-section');
    expect([...list.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => Number(id))).toEqual(
      ids.toReversed(),
    );
    const path = `tokens/revoke?${ids.map((id) => `id=${id}`).join('&')}`;
    await section.admin.send(path, 'tokens/revoke', { id: ids.map(String) });
    expect((await tokens.ofAccount(3)).tokens.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  });

  test('says on the page of a token through what it was created', async () => {
    expect(wordsOf(await get('tokens/1'))).toMatch(/Created .* by bert \(customer's page\)/);
    expect(wordsOf(await get('tokens/2'))).toMatch(/Created .* by tester \(panel\)/);
  });

  test('says on the page of a token of a customer what the settings would no longer allow', async () => {
    const { settings } = section.panel.api;
    expect(await get('tokens/1')).not.toContain('The settings now allow customers less.');
    await settings.change({ customerScopes: ['domains.read'] }, AUTHOR);
    const text = wordsOf(await get('tokens/1'));
    expect(text).toContain('The settings now allow customers less. A new token could not have: ssl.read .');
    expect(await get('tokens/2')).not.toContain('The settings now allow customers less.');
    await settings.change({ customerScopes: ['domains.read', 'websites.read', 'ssl.read'] }, AUTHOR);
  });

  test('says so also of a token without an end, and of a higher rate limit', async () => {
    const { tokens } = section.panel.api;
    await tokens.update(1, { expiresAt: null, rateLimit: 20_000 }, AUTHOR);
    expect(wordsOf(await get('tokens/1'))).toContain('A new token could not have: expires, rate limit.');
    await tokens.update(1, { expiresInSeconds: 86_400, rateLimit: null }, AUTHOR);
  });

  test('leaves the scopes as they are stored if another setting is saved', async () => {
    const stored = 'ssl.read former.read domains.read';
    const row = () => section.database.knex('panel_api_settings').where({ name: 'customer_scopes' });
    await row().update({ value: stored });
    const fields = {
      customer_scopes: ['domains.read', 'ssl.read'],
      customer_tokens: '4',
      https_required: 'on',
    };
    const answer = await section.admin.send('settings', 'settings', { ...fields, last_used_address: 'on' });
    const done = wordsOf((await section.admin.follow('settings', answer)).text);
    expect(done).not.toContain('Scopes that customers may choose: domains.read');
    expect(await row()).toEqual([expect.objectContaining({ value: stored })]);
    await row().update({ value: 'domains.read websites.read ssl.read' });
  });

  test('has a box for each scope that a token of an account can use, and stores those that are chosen', async () => {
    const text = await get('settings');
    const boxes = [...text.matchAll(/name="customer_scopes" value="([^"]*)"( checked)?/g)];
    const scopes = boxes.map(([, scope]) => scope);
    expect(scopes).toEqual(expect.arrayContaining(['domains.read', 'accounts.read', 'profile.read', '*']));
    expect(scopes).not.toContain('services.read');
    expect(boxes.filter(([, , checked]) => checked).map(([, scope]) => scope)).toEqual([
      'domains.read',
      'websites.read',
      'ssl.read',
    ]);
    const fields = {
      customer_scopes: ['domains.read', 'backups.read'],
      customer_tokens: '3',
      https_required: 'on',
    };
    const answer = await section.admin.send('settings', 'settings', { ...fields, last_used_address: 'on' });
    expect(answer.status).toBe(303);
    const { customerScopes, customerTokens } = await section.panel.api.settings.read();
    expect([customerScopes, customerTokens]).toEqual([['domains.read', 'backups.read'], 3]);
    const done = wordsOf((await section.admin.follow('settings', answer)).text);
    expect(done).toContain('Scopes that customers may choose: domains.read , backups.read');
  });

  test('names the administrator who acted as a customer in the audit trail', async () => {
    const { tokens } = section.panel.api;
    const { record } = await tokens.create(
      { name: 'Helped', scopes: ['domains.read'] },
      { ...CUSTOMER, by: 'anna' },
    );
    const text = wordsOf(await get(`tokens/${record.id}`));
    expect(text).toMatch(/bert created a token .*administrator: anna/);
    expect(text).toContain("customer's page");
  });
});
