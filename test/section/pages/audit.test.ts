import { describeEachEngine, describeOneEngine, freshDatabase } from '../../fixture/databases';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { startPanel } from '../../fixture/panel';
import { insertAuditRows } from '../../fixture/section/auditRows';
import { parseCsv } from '../../fixture/section/parseCsv';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

/** The rows of the page's table, each as what its cells say. */
const rowsOf = (text: string) =>
  [...text.matchAll(/<tr><td [\s\S]*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<td [^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => wordsOf(cell).trim()),
  );

const DAY = 86_400;
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

describeOneEngine('The audit trail in the API section', (engine) => {
  let section: SectionPanel;
  let first: number;
  let second: number;

  beforeAll(async () => {
    section = await startSectionPanel(engine, OWN_SWITCH);
    const { tokens, settings } = section.panel.api;
    const author = (actor: string) => ({ actor, origin: 'panel', address: '192.0.2.7' }) as const;
    const create = (name: string, actor: string) =>
      tokens.create({ name, scopes: ['domains.read', 'ssl.read'], expiresInSeconds: DAY }, author(actor));
    first = (await create('Billing', 'ann')).record.id;
    second = (await create('Status page', 'bob')).record.id;
    await tokens.revoke(first, { actor: 'root', origin: 'cli' });
    await tokens.update(second, { name: 'Status', rateLimit: 100, scopes: ['ssl.read'] }, author('bob'));
    await settings.change({ httpsRequired: false }, author('ann'));
    await settings.enable({ actor: 'ann', origin: 'api-section' });
  });

  const shown = async (query = '') => rowsOf((await section.get(`audit${query}`)).text);

  test('shows who did what to which token and from where, the newest entry first', async () => {
    const { text } = await section.get('audit');
    const actions = [...text.matchAll(/<summary>([^<]*?) ?</g)].map(([, action]) => action);
    expect(rowsOf(text).map(([, who, , token, from], row) => [who, actions[row], token, from])).toEqual([
      ['ann', 'switched the API on', '', 'API section'],
      ['ann', 'changed the settings', '', 'panel 192.0.2.7'],
      ['bob', 'changed a token', `#${second} Status`, 'panel 192.0.2.7'],
      ['root', 'revoked a token', `#${first} Billing`, 'command'],
      ['bob', 'created a token', `#${second} Status page`, 'panel 192.0.2.7'],
      ['ann', 'created a token', `#${first} Billing`, 'panel 192.0.2.7'],
    ]);
  });

  test('shows the time of an entry relative to now, and exactly', async () => {
    const [entry] = await section.panel.api.audit.list();
    const exact = new Date(entry!.at * 1000).toISOString().slice(0, 16).replace('T', ' ');
    const { text } = await section.get('audit');
    expect(text).toContain(`data-time="relative" title="${exact} UTC">`);
    expect((await shown())[0]?.[2]).toContain(`At ${exact}`);
  });

  test('shows what a new token may do', async () => {
    const what = (await shown(`?token=${first}&action=token.created`))[0]?.[2];
    expect(what).toMatch(/scopes: +domains\.read , +ssl\.read +expires: \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect((await section.get('audit')).text).toContain('<code>domains.read</code>, <code>ssl.read</code>');
  });

  test('shows from what to what a token and a setting were changed', async () => {
    const what = (await shown('?action=token.changed'))[0]?.[2];
    expect(what).toContain('name: from Status page to Status');
    expect(what).toMatch(/scopes: from +domains\.read , +ssl\.read +to +ssl\.read/);
    expect(what).toContain('rate limit: from the limit of the settings to 100');
    expect((await shown('?action=settings.changed'))[0]?.[2]).toContain('HTTPS is required: from yes to no');
  });

  test('explains its filters', async () => {
    const words = wordsOf((await section.get('audit')).text);
    expect(words).toContain(
      'Enter a part of the name of a person or of a token, or the id of a token, such as #7. Days are UTC.',
    );
  });

  const actors = async (query: string) => (await shown(query)).map(([, actor]) => actor);

  test('is filtered by the id of a token', async () => {
    expect(await actors(`?token=${first}`)).toEqual(['root', 'ann']);
    expect(await actors(`?token=%23${first}`)).toEqual(['root', 'ann']);
  });

  test('is filtered by a part of the present name of a token, in any letter case', async () => {
    expect(await actors('?token=BILL')).toEqual(['root', 'ann']);
    expect(await actors('?token=status')).toEqual(['bob', 'bob']);
    expect(await actors('?token=page')).toEqual([]);
  });

  test('is filtered by person', async () => {
    expect(await actors('?actor=ann')).toEqual(['ann', 'ann', 'ann']);
    expect(await actors('?actor=NN')).toEqual(['ann', 'ann', 'ann']);
  });

  test('suggests the persons of its entries', async () => {
    const { text } = await section.get('audit');
    expect(text).toContain(
      '<datalist id="actors"><option value="ann"><option value="bob"><option value="root"></datalist>',
    );
    expect(text).toContain('list="actors"');
  });

  test('is filtered by action', async () => {
    expect(await actors('?action=token.created')).toEqual(['bob', 'ann']);
  });

  test('is filtered by day, the first and the last one included', async () => {
    const entries = await section.panel.api.audit.list();
    const [newest, oldest] = [entries[0]!.at, entries.at(-1)!.at];
    expect(await shown(`?since=${dayOf(oldest)}&until=${dayOf(newest)}`)).toHaveLength(entries.length);
    expect(await shown(`?since=${dayOf(newest + DAY)}`)).toEqual([]);
    expect(await shown(`?until=${dayOf(oldest - DAY)}`)).toEqual([]);
  });

  test('begins and ends its days at midnight in UTC', async () => {
    const other = await startSectionPanel(engine);
    await other.panel.api.audit.list();
    const midnight = Date.parse('2026-06-12T00:00:00Z') / 1000;
    const times = [midnight - 1, midnight, midnight + DAY - 1, midnight + DAY];
    const rows = times.map((at) => ({ at, actor: `at ${at - midnight}`, token_id: null, details: {} }));
    await insertAuditRows(other.database.knex, rows);
    const { text } = await other.get('audit?since=2026-06-12&until=2026-06-12');
    expect(rowsOf(text).map(([, actor]) => actor)).toEqual(['at 86399', 'at 0']);
  });

  test('is filtered by all at once', async () => {
    const today = dayOf(Date.now() / 1000 - DAY);
    expect(await actors(`?actor=bob&token=status&action=token.changed&since=${today}`)).toEqual(['bob']);
    expect(await actors(`?actor=bob&token=${first}`)).toEqual([]);
  });

  const FILTERS = 'actor=root&action=token.revoked&token=Bill&since=2026-01-01&until=2099-12-31';

  test('shows its filters, and keeps them for the downloads', async () => {
    const { text } = await section.get(`audit?${FILTERS}`);
    for (const [name, value] of new URLSearchParams(FILTERS))
      if (name !== 'action') expect(text).toContain(`name="${name}" value="${value}"`);
    expect(text).toContain('<option value="token.revoked" selected>');
    for (const end of ['csv', 'json'])
      expect(text).toContain(`href="audit.${end}?${FILTERS.replaceAll('&', '&amp;')}"`);
  });

  /** The links that each remove one filter, by what they say. */
  const removals = async (query: string) => {
    const { text } = await section.get(`audit?${query}`);
    const list = /<ul class="set-filters"[\s\S]*?<\/ul>/.exec(text)?.[0] ?? '';
    const links = [...list.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)];
    return Object.fromEntries(links.map(([, to = '', words = '']) => [words, to.replaceAll('&amp;', '&')]));
  };

  test('has a link for each filter that removes it', async () => {
    expect(await removals('actor=root&action=token.revoked&since=2026-01-01')).toEqual({
      'Person: root': 'audit?action=token.revoked&since=2026-01-01',
      'Action: revoked a token': 'audit?actor=root&since=2026-01-01',
      'From: 2026-01-01': 'audit?actor=root&action=token.revoked',
      'Remove all filters': 'audit',
    });
    expect(await removals('token=Bill')).toEqual({ 'Token: Bill': 'audit' });
    expect(await removals('')).toEqual({});
  });

  test.each([
    ['a text that is no name', 'token=abc'],
    ['0', 'token=0'],
    ['a negative number', 'token=-1'],
    ['a number with an exponent', 'token=1e3'],
    ['an id that no database can store', 'token=2147483648'],
    ['a longer one', 'token=9999999999'],
    ['a quote', "token=1'%20or%201=1"],
    ['a wildcard as a token', 'token=%25%25'],
    ['a token with NUL', 'token=a%00b'],
    ['a person who is absent', 'actor=absent'],
    ['a wildcard', 'actor=%25'],
    ['NUL', 'actor=a%00nn'],
    ['no Unicode', 'actor=%FF%FE'],
    ['an emoji', 'actor=%F0%9F%98%80'],
    ['a very long person', `actor=${'x'.repeat(5000)}`],
    ['a very long token', `token=${'x'.repeat(5000)}`],
    ['days in the wrong order', 'since=2099-01-01&until=2000-01-01'],
  ])('has no entry for a filter that matches none, and names it: %s', async (_what, query) => {
    const { status, text } = await section.get(`audit?${query}`);
    expect([status, rowsOf(text)]).toEqual([200, []]);
    expect(wordsOf(text)).toMatch(/No entry matches these filters: (?:Token|Person|From): /);
    expect((await section.get(`audit.json?${query}`)).text).toBe('[]\n');
    expect(parseCsv((await section.get(`audit.csv?${query}`)).text)).toHaveLength(1);
  });

  test.each([
    'before=x',
    'before=',
    'before=-1',
    'before=1.5',
    'before=9007199254740993',
    'before=9999999999999999',
    'unknown=1',
    'token=&actor=&action=&since=&until=',
  ])('is complete if the address names no filter: %s', async (query) => {
    expect((await shown(`?${query}`)).map((row) => row.slice(1))).toEqual(
      (await shown()).map((row) => row.slice(1)),
    );
  });

  test.each([
    ['action=token.stolen', 'The audit trail has no such action.'],
    ['since=yesterday', 'A day of the audit trail is written like 2026-07-31.'],
    ['since=2026-02-30', 'A day of the audit trail is written like 2026-07-31.'],
    ['until=2026-13-01', 'A day of the audit trail is written like 2026-07-31.'],
    ['actor=ann&until=2000-01-01T00:00:00Z', 'A day of the audit trail is written like 2026-07-31.'],
  ])('is not shown and not downloaded if a filter is not understood: %s', async (query, sentence) => {
    for (const path of ['audit', 'audit.json', 'audit.csv']) {
      const { status, text } = await section.get(`${path}?${query}`);
      expect([path, status, text.includes(sentence)]).toEqual([path, 400, true]);
    }
  });
});

describeOneEngine('A long audit trail in the API section', (engine) => {
  let section: SectionPanel;

  // Enough for several pages, and for several of the batches in which downloads read.
  const ROWS = Array.from({ length: 1150 }, (_, index) => ({
    actor: index % 20 === 0 ? 'bob' : 'ann',
    token_id: index % 2 === 0 ? 7 : 8,
    details: { number: index },
  }));
  const numbersOf = (which: (row: (typeof ROWS)[number]) => boolean) =>
    ROWS.filter(which)
      .map(({ details }) => details.number)
      .toReversed();

  beforeAll(async () => {
    section = await startSectionPanel(engine);
    await section.panel.api.audit.list();
    await insertAuditRows(section.database.knex, ROWS);
  });

  /** What the pages show, from the given one on, by their links to the next. */
  const paged = async (from: string) => {
    const pages: number[][] = [];
    for (let path: string | undefined = from; path !== undefined; ) {
      const { text }: { text: string } = await section.get(path);
      const numberIn = (row: readonly string[]) =>
        /number : ([\d,]+)/.exec(row[2] ?? '')?.[1]?.replace(',', '');
      pages.push(rowsOf(text).map((row) => Number(numberIn(row))));
      path = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    return pages;
  };

  test('comes page by page, each entry once and the newest first', async () => {
    const pages = await paged('audit');
    expect(pages.map(({ length }) => length)).toEqual([...Array(11).fill(100), 50]);
    expect(pages.flat()).toEqual(numbersOf(() => true));
  });

  test('keeps its filter from page to page', async () => {
    const pages = await paged('audit?token=7&actor=ann');
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.flat()).toEqual(numbersOf(({ actor, token_id }) => token_id === 7 && actor === 'ann'));
  });

  test('ends with a full page if there is nothing more', async () => {
    const oldest = await section.panel.api.audit.list({ limit: 1150 });
    expect((await paged(`audit?before=${oldest.at(-101)!.id}`)).map(({ length }) => length)).toEqual([100]);
  });

  test('does not lose its place when an entry is added between two pages', async () => {
    const { text } = await section.get('audit');
    const next = /<a rel="next" href="([^"]*)"/.exec(text)?.[1] ?? '';
    const [before] = await paged(next);
    await insertAuditRows(section.database.knex, [{ actor: 'eve', token_id: 9, details: { number: -1 } }]);
    expect((await paged(next))[0]).toEqual(before);
    await section.database.knex('panel_api_audit_log').where({ actor: 'eve' }).delete();
  });

  test.each<[string, (row: (typeof ROWS)[number]) => boolean]>([
    ['', () => true],
    ['?token=7', ({ token_id }) => token_id === 7],
    ['?actor=bob', ({ actor }) => actor === 'bob'],
    ['?token=8&actor=ann', ({ token_id, actor }) => token_id === 8 && actor === 'ann'],
  ])('is downloaded as CSV and JSON, with exactly the entries of the filter %p', async (query, which) => {
    const csv = await section.get(`audit.csv${query}`);
    const [head, ...rows] = parseCsv(csv.text);
    expect(head).toEqual(['id', 'at', 'actor', 'action', 'origin', 'address', 'token_id', 'details']);
    expect(rows.map((row) => JSON.parse(row[7] ?? '').number)).toEqual(numbersOf(which));
    const json = JSON.parse((await section.get(`audit.json${query}`)).text) as {
      details: { number: number };
    }[];
    expect(json.map(({ details }) => details.number)).toEqual(numbersOf(which));
  });

  test('is the same in both files and in the trail itself', async () => {
    const entries = await section.panel.api.audit.list({ actor: 'bob', limit: 1000 });
    const expected = entries.map(({ id, at, actor, action, origin, address, tokenId, details }) => ({
      id,
      at: new Date(at * 1000).toISOString().replace('.000Z', '+00:00'),
      actor,
      action,
      origin,
      address,
      token_id: tokenId,
      details,
    }));
    expect(JSON.parse((await section.get('audit.json?actor=bob')).text)).toEqual(expected);
    const [names = [], ...rows] = parseCsv((await section.get('audit.csv?actor=bob')).text);
    const objects = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
    expect(objects).toEqual(
      expected.map((one) => ({
        ...one,
        id: String(one.id),
        address: '',
        token_id: String(one.token_id),
        details: JSON.stringify(one.details),
      })),
    );
  });

  test.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/json; charset=utf-8'],
  ])('is a file with a name as %s', async (end, type) => {
    const { headers } = await section.get(`audit.${end}?actor=bob`);
    expect(headers.get('Content-Disposition')).toBe(`attachment; filename="audit-trail.${end}"`);
    expect(headers.get('Content-Type')).toBe(type);
  });
});

describeOneEngine('The CSV file of the audit trail', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
    await section.panel.api.audit.list();
  });

  const actorInCsv = async (actor: string) => {
    await section.database.knex('panel_api_audit_log').delete();
    await insertAuditRows(section.database.knex, [{ actor, token_id: null, details: { note: 'a,b' } }]);
    const { text } = await section.get('audit.csv');
    return { text, row: parseCsv(text)[1] ?? [] };
  };

  test.each(['a,b', 'say "hi"', 'two\r\nlines', '",",', 'Jürgen Groß 😀'])(
    'holds %j as one value, unchanged',
    async (actor) => {
      const { row } = await actorInCsv(actor);
      expect([row.length, row[2], row[6]]).toEqual([8, actor, '']);
      expect(JSON.parse(row[7] ?? '')).toEqual({ note: 'a,b' });
    },
  );

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x.example","y")', '＝1+1'])(
    'holds no formula for a spreadsheet in %j',
    async (actor) => {
      const { row } = await actorInCsv(actor);
      expect([row.length, row[2]]).toEqual([8, `'${actor}`]);
    },
  );

  test.each([
    ['a;=1', "a;'=1"],
    ['a; +1', "a;' +1"],
    ['a\t-1', "a\t'-1"],
    ['\t=1', "'\t'=1"],
    ['a\n@b', "a\n'@b"],
    ['a\r\n=1;=2', "a\r\n'=1;'=2"],
    ['a;"=1+1', `a;'"=1+1`],
    ['a;;＝1', "a;';'＝1"],
  ])('holds no formula behind a character at which a spreadsheet may split %j', async (actor, shown) => {
    const { row } = await actorInCsv(actor);
    expect([row.length, row[2]]).toEqual([8, shown]);
  });

  test('has no semicolon in the details, at which a spreadsheet may split them', async () => {
    const note = 'a;=1+1';
    await section.database.knex('panel_api_audit_log').delete();
    await insertAuditRows(section.database.knex, [{ actor: 'ann', token_id: null, details: { note } }]);
    const { text } = await section.get('audit.csv');
    expect(text).not.toContain(';');
    expect(JSON.parse(parseCsv(text)[1]?.[7] ?? '')).toEqual({ note });
  });

  test('has no control or bidirectional character, as the pages', async () => {
    const { row } = await actorInCsv('a\u009b31m\u202eb\u007f\u001bc\u2028d\u2029e');
    expect(row[2]).toBe('a\ufffd31m\ufffdb\ufffd\ufffdc\ufffdd\ufffde');
  });

  test('has them escaped in the details, which mean the same, and so has the JSON file', async () => {
    const note = 'a\u009b31m\u202eb\u007f\u001bc';
    await section.database.knex('panel_api_audit_log').delete();
    await insertAuditRows(section.database.knex, [{ actor: note, token_id: null, details: { note } }]);
    const csv = (await section.get('audit.csv')).text;
    const json = (await section.get('audit.json')).text;
    expect([csv, json].filter((text) => /(?![\r\n])[\p{Cc}\p{Cf}]/u.test(text))).toEqual([]);
    expect(JSON.parse(parseCsv(csv)[1]?.[7] ?? '')).toEqual({ note });
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ actor: note, details: { note } })]);
  });

  test('begins with a byte order mark, by which spreadsheets know its encoding', async () => {
    const url = `${section.panel.url}/admin/api/audit.csv`;
    const bytes = Buffer.from(await (await fetch(url, { headers: { Cookie: 'admin=ann' } })).arrayBuffer());
    expect(bytes.subarray(0, 6).toString('latin1')).toBe('\xef\xbb\xbfid,');
  });

  test('ends every line with a carriage return and a line feed', async () => {
    const { text } = await actorInCsv('ann');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text.endsWith('\r\n')).toBe(true);
  });
});

describeEachEngine('The audit trail of one person', (engine) => {
  test('is read by its index, however long the trail is', async () => {
    const database = await freshDatabase(engine);
    const { api } = await startPanel({ db: database.knex });
    const { knex } = database;
    await api.audit.list();
    const rows = Array.from({ length: 5000 }, (_, row) => ({
      actor: `person ${row % 500}`,
      token_id: null,
      details: {},
    }));
    await insertAuditRows(knex, rows);
    await knex.raw(engine === 'mariadb' ? 'analyze table panel_api_audit_log' : 'analyze');
    const asked: { sql: string; bindings: string[] }[] = [];
    knex.on('query', (query) => asked.push(query));
    expect(await api.audit.list({ actor: 'person 7', before: 4000 })).toHaveLength(8);
    const { sql, bindings } = asked.find((query) => query.sql.includes('audit_log'))!;
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    const plan = await knex.raw(`${explain} ${sql.replaceAll(/\$\d+/g, '?')}`, bindings);
    expect(JSON.stringify(plan)).toContain('panel_api_audit_log_actor_index');
  });
});
