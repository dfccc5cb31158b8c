import { randomBytes } from 'node:crypto';
import { describeOneEngine } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

describeOneEngine('In the API section, several tokens', (engine) => {
  let section: SectionPanel;
  let ids: readonly number[];

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  beforeEach(async () => {
    const create = async (name: string) =>
      (await section.panel.api.tokens.create({ name, scopes: ['*'] }, AUTHOR)).record.id;
    ids = [await create('First'), await create('Second'), await create('Third')];
  });

  const state = async (id: number) => (await section.panel.api.tokens.get(id))?.state;
  const confirmation = (wanted = ids) => `tokens/revoke?${wanted.map((id) => `id=${id}`).join('&')}`;
  const revoke = async (page = confirmation()) => {
    const answer = await section.send(page, 'tokens/revoke');
    expect(answer.status).toBe(303);
    return section.follow('tokens/revoke', answer);
  };

  test('are listed by name with their last use before they are revoked', async () => {
    const { status, text } = await section.get(confirmation());
    expect(status).toBe(200);
    const words = wordsOf(text);
    expect(words).toContain('Revoke 3 tokens?');
    for (const name of ['First', 'Second', 'Third'])
      expect(words).toMatch(new RegExp(`${name} #\\d+ pnl_\\w+… never 0`));
    expect(await state(ids[0]!)).toBe('active');
  });

  test('are revoked together, each with its entry in the audit trail', async () => {
    const { text } = await revoke();
    expect(wordsOf(text)).toContain('3 tokens are revoked: ');
    expect(text).toContain('<div class="notice good" role="status">');
    for (const id of ids) {
      const [entry] = await section.panel.api.audit.list({ tokenId: id });
      expect(entry).toMatchObject({ action: 'token.revoked', actor: 'ann', origin: 'api-section' });
      expect(await state(id)).toBe('revoked');
    }
  });

  test('leave a rotated one as the last of its lineage, which the page names before', async () => {
    const [id] = ids as [number];
    const { tokens } = section.panel.api;
    const rotated = await tokens.rotate(id, { graceSeconds: 3600 }, AUTHOR);
    const successor = rotated?.record.id ?? 0;
    const left = `<a href="../tokens/${id}">First</a>`;
    const both = (await section.get(confirmation([successor, id]))).text;
    expect(both).not.toContain('was rotated and loses');
    const { text } = await section.get(confirmation([successor]));
    expect(wordsOf(text)).toContain('This one was rotated and loses its replacement.');
    expect(text).toContain(left);
    const one = await section.get(`tokens/${successor}/revoke`);
    expect(wordsOf(one.text)).toMatch(
      /This one was rotated and loses its replacement\. .* First #\d+ \( in 1 hour \)/,
    );
    await revoke(confirmation([successor]));
    expect(wordsOf((await section.get(`tokens/${id}`)).text)).toContain(
      'The token that replaced this one is revoked. This one expires in 1 hour',
    );
    expect((await tokens.attention()).expiring.tokens.map((token) => token.id)).toContain(id);
  });

  test('that have ended meanwhile are named and not changed', async () => {
    const [first, second] = ids as [number, number];
    await section.panel.api.tokens.revoke(first, AUTHOR);
    expect(wordsOf((await section.get(confirmation())).text)).toContain(
      'Already ended, and not changed: First',
    );
    const answer = await section.send(confirmation([second]), 'tokens/revoke', { id: ids.map(String) });
    const words = wordsOf((await section.follow('tokens/revoke', answer)).text);
    expect(words).toContain('2 tokens are revoked: Second, Third.');
    expect(words).toContain('1 token had already ended: First.');
    expect((await section.panel.api.tokens.get(first))?.revokedBy).toBe(AUTHOR.actor);
    expect(await section.panel.api.audit.list({ tokenId: first })).toHaveLength(2);
  });

  test('are not named in the answer if their names are too long for a URL', async () => {
    const create = async () => {
      const name = randomBytes(90).toString('base64');
      return (await section.panel.api.tokens.create({ name, scopes: ['*'] }, AUTHOR)).record.id;
    };
    const many: number[] = [];
    while (many.length < 20) many.push(await create());
    const { text } = await revoke(confirmation(many));
    expect(wordsOf(/role="status">.*?<\/div>/.exec(text)?.[0] ?? '')).toContain('Done.');
    expect(await state(many[19]!)).toBe('revoked');
  });

  test('that have all ended leave nothing to confirm', async () => {
    await revoke();
    const { status, text } = await section.get(confirmation());
    expect([status, text.includes('<form method="post"')]).toEqual([400, false]);
    expect(wordsOf(text)).toContain('The selected tokens have already ended.');
  });

  test('lead from the page of one that is revoked back to the token', async () => {
    const [id] = ids as [number];
    await section.panel.api.tokens.revoke(id, AUTHOR);
    const { status, headers } = await section.get(`tokens/${id}/revoke`);
    expect([status, headers.get('Location')]).toEqual([303, `../../tokens/${id}`]);
  });

  test('do not include an expired one, which is revoked on its own page', async () => {
    const [id] = ids as [number];
    await section.database.knex('panel_api_tokens').where({ id }).update({ expires_at: 1 });
    expect(wordsOf((await section.get(confirmation())).text)).toContain('Revoke 2 tokens?');
    const path = `tokens/${id}/revoke`;
    const answer = await section.send(path, path);
    expect(wordsOf((await section.follow(path, answer)).text)).toContain('1 token is revoked: First.');
    expect(await state(id)).toBe('revoked');
  });

  test('are not asked about if none is selected', async () => {
    for (const path of ['tokens/revoke', 'tokens/revoke?id=x&id=0&id=999999999']) {
      const { status, text } = await section.get(path);
      expect([status, wordsOf(text).includes('No token is selected.')]).toEqual([400, true]);
    }
  });

  test('are not revoked by the form of another administrator', async () => {
    const { text } = await section.get(confirmation(), { admin: 'bob' });
    const stolen = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const { status } = await section.send(confirmation(), 'tokens/revoke', { form_token: stolen });
    expect([status, await state(ids[0]!)]).toEqual([403, 'active']);
  });
});
