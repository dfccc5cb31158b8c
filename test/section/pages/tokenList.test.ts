import { describeOneEngine } from '../../fixture/databases';
import { AUTHOR } from '../../fixture/panel';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';
import { createTokensOfAllKinds } from '../../fixture/section/tokensOfAllKinds';

describeOneEngine('The list of tokens in the API section', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
    for (let index = 1; index <= 120; index += 1) {
      await section.panel.api.tokens.create({ name: `Token ${index}`, scopes: ['domains.read'] }, AUTHOR);
    }
  });

  test('comes page by page, newest first, each token once', async () => {
    const names: string[] = [];
    let path: string | undefined = 'tokens';
    while (path !== undefined) {
      const { text }: { text: string } = await section.get(path);
      names.push(...namesIn(text));
      path = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(names).toEqual(Array.from({ length: 120 }, (_, index) => `Token ${120 - index}`));
  });

  test('leads from a later page back to the newest tokens', async () => {
    const next = /<a rel="next" href="([^"]*)"/.exec((await section.get('tokens')).text)?.[1] ?? '';
    const { text } = await section.get(next.replaceAll('&amp;', '&'));
    expect(text).toContain('<a href="tokens">First tokens</a>');
  });

  test('keeps the filters in the links of the chips and of the next page', async () => {
    const { text } = await section.get('tokens?scope=domains.read&order=name&filter=active');
    expect(namesIn(text)[1]).toBe('Token 10');
    expect(text).toContain('<a href="tokens?scope=domains.read&amp;order=name&amp;filter=ended">');
    expect(text).toMatch(
      /rel="next" href="tokens\?scope=domains.read&amp;filter=active&amp;order=name&amp;cursor=/,
    );
    // The link that removes the scope.
    expect(text).toContain('href="tokens?filter=active&amp;order=name"');
  });

  test('is no longer ordered by expiry when the chip that chose this order is left', async () => {
    const { text } = await section.get('tokens?order=expiry&filter=expiring');
    expect(text).toContain('<a href="tokens?filter=active">');
    expect((await section.get('tokens?order=name&filter=expiring')).text).toContain(
      '<a href="tokens?order=name&amp;filter=active">',
    );
  });

  test('is ordered by the headings of its columns, with the filters, from the first page on', async () => {
    const heading = (text: string, name: string) =>
      new RegExp(`<th [^>]*class="${name}"[^>]*>.*?</th>`).exec(text)?.[0] ?? '';
    const { text } = await section.get('tokens?filter=active&scope=domains.read&cursor=');
    expect(heading(text, 'scopes')).not.toContain('<a');
    const link = /href="([^"]*)"/.exec(heading(text, 'expires'))?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link).toBe('tokens?filter=active&scope=domains.read&order=expiry');
    const sorted = (await section.get(link)).text;
    expect(heading(sorted, 'expires')).toContain('aria-sort="ascending"');
    expect(sorted.match(/aria-sort/g)).toHaveLength(1);
  });

  test('is searched by name, by the first characters and by #id', async () => {
    const [newest] = await section.panel.api.tokens.list();
    const found = async (search: string) =>
      namesIn((await section.get(`tokens?${new URLSearchParams({ search })}`)).text);
    expect(await found('token 77')).toEqual(['Token 77']);
    expect(await found(newest!.prefix)).toEqual(['Token 120']);
    expect(await found(`#${newest!.id}`)).toEqual(['Token 120']);
  });

  test('answers a forged cursor and an unknown filter with a sentence', async () => {
    expect((await section.get('tokens?cursor=forged')).status).toBe(400);
    for (const query of ['filter=forged', 'order=forged', 'scope=forged', `account=${'x'.repeat(300)}`])
      expect([query, (await section.get(`tokens?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('The list of tokens of all kinds', () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite');
    const [token] = await createTokensOfAllKinds(section);
    for (let count = 0; count < 3; count += 1) await section.panel.get('/api/v1/me.php', token);
    await section.panel.api.usage.flush();
  });

  const row = async (name: string) => {
    const { text } = await section.get('tokens');
    return text.split(/<tr |<\/tr>/).find((one) => one.includes(`>${name}</a>`)) ?? '';
  };

  test.each([
    ['All', 8, ''],
    ['Active', 6, '?filter=active'],
    ['Expiring', 1, '?filter=expiring'],
    ['Silent', 0, '?filter=silent'],
    ['Unused', 1, '?filter=unused'],
    ['Ended', 2, '?filter=ended'],
  ])('is filtered by the chip %s, which counts %i', async (name, count, query) => {
    const { text } = await section.get(`tokens${query}`);
    const [chip = ''] = /<a [^>]*aria-current="page">[^<]*<span class="count">.*?<\/a>/.exec(text) ?? [];
    expect(wordsOf(chip).trim()).toBe(`${name} ${count}`);
    expect(namesIn(text)).toHaveLength(count);
  });

  test('has for a token its name, first characters, #id, scopes, account and use', async () => {
    const [record] = (await section.panel.api.tokens.list()).filter(({ accountId }) => accountId !== null);
    const words = wordsOf(await row(record!.name));
    expect(words).not.toContain(' active ');
    for (const part of [
      `${record!.prefix}…`,
      `#${record!.id}`,
      // The scopes that tell most come first, that of the profile last.
      'email.read domains.read databases.read +2 scopes ssl.read profile.read',
      'customer-3f2a9c1e-77',
      'never',
    ])
      expect(words).toContain(part);
    expect(words).toMatch(/ in (?:99|100) days /);
    expect(wordsOf(await row('Monitoring of the whole server'))).toMatch(/ 3 ⋯ Rotate Revoke $/);
  });

  test('answers which tokens may read a scope, and which belong to an account', async () => {
    const shown = async (query: string) => namesIn((await section.get(`tokens?${query}`)).text);
    const [, long = ''] = await shown('');
    expect(await shown('scope=email.read')).toEqual([long, 'Monitoring of the whole server']);
    expect(await shown('account=customer-3f2a9c1e-77')).toEqual([long]);
    expect(await shown('account=customer-3f2a9c1e-77&filter=ended')).toEqual([]);
    const { text } = await section.get('tokens?scope=email.read');
    expect(text).toContain('<a href="tokens?scope=domains.read"><code class="chip">domains.read</code></a>');
    expect(text).toContain('aria-label="Remove the filter May read: email.read"');
    expect(wordsOf(text)).toContain('All 2 Active 2 Expiring 0 Silent 0 Unused 0 Ended 0 ');
    expect(text).toContain('<option value="email.read" selected>');
  });

  test('has active tokens before those that have ended', async () => {
    const shown = namesIn((await section.get('tokens')).text);
    expect(shown.slice(-2)).toEqual(['Ended by hand', 'Ended last week']);
  });

  test('offers for each active token what can be done with it', async () => {
    const links = (text: string) =>
      [...text.matchAll(/href="tokens\/\d+\/(\w+)"/g)].map(([, action]) => action);
    expect(links(await row('Billing'))).toEqual(['extend', 'rotate', 'revoke']);
    expect(links(await row('Monitoring of the whole server'))).toEqual(['rotate', 'revoke']);
    expect(links(await row('Ended by hand'))).toEqual([]);
  });

  test('shows times relative to now, with the exact one in the tooltip', async () => {
    const { lastUsedAt } = (await section.panel.api.tokens.list()).find(({ name }) => name === 'Billing')!;
    const exact = new Date(lastUsedAt! * 1000).toISOString().slice(0, 16).replace('T', ' ');
    expect(await row('Billing')).toContain(`title="${exact} UTC">1 day ago</time>`);
  });

  test.each([
    ['Monitoring of the whole server', ['every scope', 'never (never expires)']],
    ['Ends tomorrow', ['in 1 day (expires soon)']],
    ['Forgotten', ['4 months ago (unused for 90 days)']],
    ['Billing', []],
    ['Ended by hand', []],
  ])('marks what is remarkable about %s', async (name, marks) => {
    const found = [...(await row(name)).matchAll(/<span class="mark.*?<\/td>/g)];
    expect(found.map(([mark]) => wordsOf(mark).replaceAll(' )', ')').trim())).toEqual(marks);
  });

  test('lets only active tokens be selected', async () => {
    const { text } = await section.get('tokens');
    expect(text.match(/<input type="checkbox" name="id"/g)).toHaveLength(6);
    expect(await row('Ended by hand')).not.toContain('checkbox');
  });

  test('says why it is empty after a search, and what to do', async () => {
    const { text } = await section.get('tokens?search=%25');
    expect(wordsOf(text)).toContain('No token matches. Search for a part of the name');
    expect(text).toContain('<a href="tokens">Show all tokens</a>');
  });
});

describe('The list of sixty tokens', () => {
  test('marks the one that ends tomorrow as urgent on the first page', async () => {
    const section = await startSectionPanel('sqlite');
    const day = 86_400;
    for (let index = 1; index <= 60; index += 1) {
      const expiresInSeconds = index === 12 ? day + 3600 : (index % 4 === 0 ? 10 : 100) * day;
      await section.panel.api.tokens.create(
        { name: `Token ${index}`, scopes: ['*'], expiresInSeconds },
        AUTHOR,
      );
    }
    await section.database.knex('panel_api_tokens').decrement('created_at', 60 * day);
    const { text } = await section.get('tokens');
    const urgent = text.split('<tr ').filter((one) => one.includes('class="mark urgent"'));
    expect(urgent.map((one) => namesIn(one))).toEqual([['Token 12']]);
    expect(wordsOf(text)).toContain('Expiring 15 ');
  });
});

describe('The list of no tokens', () => {
  test('says what a token is for, and offers to create one', async () => {
    const section = await startSectionPanel('sqlite');
    const { text } = await section.get('tokens');
    expect(wordsOf(text)).toContain('There are no tokens yet.');
    expect(text).toContain('<a class="button" href="tokens/new">Create the first token</a>');
  });

  test.each([
    ['expiring', 'No token with a life of more than 28 days expires in the next 14 days.'],
    ['silent', 'Every active token that is used regularly was used as usual.'],
    ['unused', 'Every active token was used in the last 90 days, or is younger.'],
    ['ended', 'No token is expired or revoked.'],
  ])('of the filter %s says so', async (filter, sentence) => {
    const section = await startSectionPanel('sqlite');
    await section.panel.token();
    expect(wordsOf((await section.get(`tokens?filter=${filter}`)).text)).toContain(sentence);
  });

  test('reads once which tokens are silent to show and count them', async () => {
    const section = await startSectionPanel('sqlite');
    const statements: string[] = [];
    section.database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    await section.get('tokens?filter=silent');
    expect(statements.filter((sql) => /^select distinct .*panel_api_usage/.test(sql))).toHaveLength(1);
  });
});

describe('The account that the list of tokens is filtered by', () => {
  const start = async (options = {}) => {
    const section = await startSectionPanel('sqlite', options);
    const create = (name: string, accountId: number) =>
      section.panel.api.tokens.create({ name, scopes: ['*'], accountId }, AUTHOR);
    const shown = async (account: string) => {
      const { text } = await section.get(`tokens?${new URLSearchParams({ account })}`);
      return { names: namesIn(text), problem: wordsOf(/id="account-wrong">(.*?)</.exec(text)?.[1] ?? '') };
    };
    return { section, accounts: () => section.database.knex('accounts'), create, shown };
  };

  test('is the one with this id if a token is bound to it, even if it was deleted', async () => {
    const { accounts, create, shown } = await start();
    await accounts().insert([
      { id: 42, username: 'gone', status: 'active' },
      { id: 90, username: '42', status: 'active' },
      { id: 91, username: '43', status: 'active' },
    ]);
    for (const id of [42, 90, 91]) await create(`Of ${id}`, id);
    await accounts().where({ id: 42 }).delete();
    expect(await shown('42')).toEqual({ names: ['Of 42'], problem: '' });
    expect(await shown('43')).toEqual({ names: ['Of 91'], problem: '' });
  });

  test('is asked for by its id if several have the login name, or the accounts cannot be read', async () => {
    const { accounts, create, shown } = await start();
    await accounts().insert([70, 71].map((id) => ({ id, username: 'twin', status: 'active' })));
    await create('Of 70', 70);
    const several =
      'Several accounts have the login name or id “twin”. Enter the id of the one that you mean.';
    expect(await shown('twin')).toEqual({ names: [], problem: several });
    expect(await shown('70')).toEqual({ names: ['Of 70'], problem: '' });
    const unlisted = await start({ sources: { accounts: false } });
    await unlisted.create('Of 7', 7);
    const unread = 'The list of accounts cannot be read, so an account is found only by its id.';
    expect(await unlisted.shown('anna')).toEqual({ names: [], problem: unread });
    expect(await unlisted.shown('7')).toEqual({ names: ['Of 7'], problem: '' });
  });

  test('is refused before a statement contains it if it is a token', async () => {
    const { section } = await start();
    const { token } = await section.panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const statements: string[] = [];
    section.database.knex.on('query', (query) =>
      statements.push(JSON.stringify([query.sql, query.bindings])),
    );
    expect((await section.get(`tokens?account=${token}`)).status).toBe(400);
    expect(statements.filter((one) => one.includes(token))).toEqual([]);
  });
});

/** The names of the tokens in the list, in its order. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/<th scope="row"[^>]*><a [^>]*>([^<]*)</g)].map(([, name = '']) => name);
}
