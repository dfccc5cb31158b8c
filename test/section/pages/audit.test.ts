import { describeEachEngine, freshDatabase } from '../../fixture/databases';
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

describeEachEngine('The audit trail in the API section', (engine) => {
  let section: SectionPanel;
  let first: number;
  let second: number;

  beforeAll(async () => {
    section = await startSectionPanel(engine, OWN_SWITCH);
    const { tokens, settings } = section.panel.api;
    const create = (name: string, actor: string) =>
      tokens.create({ name, scopes: ['domains.read'], expiresInSeconds: 86_400 }, { actor, origin: 'panel' });
    first = (await create('Billing', 'ann')).record.id;
    second = (await create('Status page', 'bob')).record.id;
    await tokens.revoke(first, { actor: 'root', origin: 'cli' });
    await settings.enable({ actor: 'ann', origin: 'api-section' });
  });

  const shown = async (query = '') => rowsOf((await section.get(`audit${query}`)).text);

  test('shows who did what, when and from where, the newest entry first', async () => {
    const rows = await shown();
    expect(rows.map(([, ...rest]) => rest.slice(0, 4))).toEqual([
      ['ann', 'switched the API on', 'api-section', ''],
      ['root', 'revoked a token', 'cli', `#${first}`],
      ['bob', 'created a token', 'panel', `#${second}`],
      ['ann', 'created a token', 'panel', `#${first}`],
    ]);
    const entries = await section.panel.api.audit.list();
    const minutes = entries.map(({ at }) => new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' '));
    expect(rows.map(([when]) => when)).toEqual(minutes);
  });

  test('shows the content of the entry of a new token', async () => {
    const [row] = await shown(`?token=${second}`);
    expect(row?.at(-1)).toContain('name: Status page');
    expect(row?.at(-1)).toContain('scopes: domains.read');
  });

  test('shows every time in the same form', async () => {
    const [row] = await shown(`?token=${second}`);
    expect(row?.at(-1)).toMatch(/expires_at: \d{4}-\d\d-\d\d \d\d:\d\d(?: |$)/);
  });

  test('explains its filter', async () => {
    const words = wordsOf((await section.get('audit?token=Billing')).text);
    expect(words).toContain('Enter the id of a token, such as 7, or the full name of a person.');
  });

  test('is filtered by token', async () => {
    const actors = (await shown(`?token=${first}`)).map(([, actor]) => actor);
    expect(actors).toEqual(['root', 'ann']);
    expect(await shown(`?token=%23${first}`)).toEqual(await shown(`?token=${first}`));
  });

  test('is filtered by person', async () => {
    const actions = (await shown('?actor=ann')).map(([, , action]) => action);
    expect(actions).toEqual(['switched the API on', 'created a token']);
  });

  test('is filtered by token and person together', async () => {
    expect((await shown(`?actor=ann&token=${first}`)).map(([, actor]) => actor)).toEqual(['ann']);
    expect(await shown(`?actor=bob&token=${first}`)).toEqual([]);
  });

  test('keeps apart persons whose names differ in letter case and accents alone', async () => {
    for (const actor of ['ANN', 'änn'])
      expect(await shown(`?actor=${encodeURIComponent(actor)}`)).toEqual([]);
  });

  test('shows its filter, and keeps it for the downloads', async () => {
    const { text } = await section.get(`audit?token=${first}&actor=root`);
    expect(text).toMatch(new RegExp(`name="token"[^>]* value="${first}"`));
    expect(text).toContain('name="actor" value="root"');
    expect(text).toContain(`href="audit.csv?token=${first}&amp;actor=root"`);
    expect(text).toContain(`href="audit.json?token=${first}&amp;actor=root"`);
  });

  test.each([
    'token=abc',
    'token=0',
    'token=-1',
    'token=1e3',
    'token=2147483648',
    'token=9999999999',
    "token=1'%20or%201=1",
    'actor=absent',
    'actor=%25',
    'actor=a%00nn',
    'actor=%FF%FE',
    'actor=%F0%9F%98%80',
    `actor=${'x'.repeat(5000)}`,
  ])('has no entry for a filter that matches none: %s', async (query) => {
    const { status, text } = await section.get(`audit?${query}`);
    expect([status, rowsOf(text)]).toEqual([200, []]);
    expect(wordsOf(text)).toContain('There are no entries.');
    expect((await section.get(`audit.json?${query}`)).text).toBe('[]\n');
    expect(parseCsv((await section.get(`audit.csv?${query}`)).text)).toHaveLength(1);
  });

  test('shows an invalid filter as it was typed', async () => {
    const { text } = await section.get('audit?token=abc');
    expect(text).toMatch(/name="token"[^>]* value="abc"/);
  });

  test.each([
    'before=x',
    'before=',
    'before=-1',
    'before=1.5',
    'before=9007199254740993',
    'before=9999999999999999',
    'unknown=1',
    'token=&actor=',
  ])('is complete if the address names no valid filter: %s', async (query) => {
    expect(await shown(`?${query}`)).toEqual(await shown());
  });
});

describeEachEngine('A long audit trail in the API section', (engine) => {
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
      pages.push(rowsOf(text).map((row) => Number(/number: (\d+)/.exec(row.at(-1) ?? '')?.[1])));
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

describeEachEngine('The CSV file of the audit trail', (engine) => {
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

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '=HYPERLINK("http://x.example","y")',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
  ])('holds no formula for a spreadsheet in %j', async (actor) => {
    const { row } = await actorInCsv(actor);
    expect([row.length, row[2]]).toEqual([8, `'${actor}`]);
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
