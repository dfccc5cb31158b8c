import { describeOneEngine } from '../fixture/databases';
import { JUST_NOW } from '../fixture/justNow';
import { type SectionPanel, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;

/** The table by endpoint: each with its requests, its errors, and whether it says when it was used last. */
const countsIn = (text: string) => {
  const [byEndpoint = ''] =
    /<table class="stacked"><thead><tr><th scope="col">Endpoint[\s\S]*?<\/table>/.exec(text) ?? [];
  return [...byEndpoint.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g)].map(
    ([, endpoint, cells = '']) => {
      const [requests = '', errors = ''] = cells.split('</td>').map((cell) => wordsOf(cell).trim());
      return [endpoint, requests, errors, cells.includes('<time')];
    },
  );
};

/** The chart's sentence. */
const summaryIn = (text: string) => wordsOf(/<figcaption>([\s\S]*?)<\/figcaption>/.exec(text)?.[1] ?? '');

/** What the chart says of each day, the oldest first. */
const daysIn = (text: string) =>
  [...text.matchAll(/class="day" role="img" aria-label="([^"]*)"/g)].map(([, label = '']) => label);

/** The heights of the bars and the numbers of their scale. */
const barsIn = (text: string, what: 'requests' | 'errors') => {
  const [, scale = ''] = new RegExp(`<div class="scale ${what}"[^>]*>(.*?)</div>`).exec(text) ?? [];
  const [, shapes = ''] = new RegExp(`<svg class="${what}"([\\s\\S]*?)</svg>`).exec(text) ?? [];
  return {
    scale: [...scale.matchAll(/<span>([^<]*)</g)].map(([, number]) => number),
    heights: [...shapes.matchAll(/<rect [^>]*height="([^"]*)"/g)].map(([, height]) => Number(height)),
  };
};

describeOneEngine('The use of a token in the API section', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine, { sources: { jobs: false } });
  });

  const create = (name: string) =>
    section.panel.api.tokens.create({ name, scopes: ['domains.read', 'profile.read', 'jobs.read'] }, AUTHOR);

  /** What the list says of a token's requests. */
  const listed = async (name: string) => {
    const { text } = await section.get(`tokens?search=${encodeURIComponent(name)}`);
    return /data-label="Requests in 30 days"[^>]*>([^<]*)</.exec(text)?.[1];
  };

  test('is on its page by endpoint, most used first, with the errors and the last use of each', async () => {
    const { token, record } = await create('Monitoring');
    for (const path of ['domains.php', 'domains.php', 'me.php', 'email.php', 'jobs.php', 'me.php?limit=x'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
    const { text } = await section.get(`tokens/${record.id}`);
    expect(countsIn(text)).toEqual([
      ['domains', '2', '0', true],
      ['me', '2', '1', true],
      ['email', '1', '1', true],
      ['jobs', '1', '1', true],
    ]);
    expect(summaryIn(text)).toContain('6 requests , 50% of them errors: 2 refused (4xx), 1 failed (5xx).');
    expect(daysIn(text).at(-1)).toMatch(/: 6 requests, 3 errors$/);
  });

  test('is in the list as the number of its requests in 30 days', async () => {
    const { token } = await create('Counted');
    expect(await listed('Counted')).toBe('');
    for (const path of ['domains.php', 'email.php', 'me.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
    expect(await listed('Counted')).toBe('3');
  });

  test('is that of the token alone', async () => {
    const { token } = await create('A busy one');
    const { record } = await create('An idle one');
    await section.panel.get('/api/v1/domains.php', token);
    await section.panel.api.usage.flush();
    expect(await listed('An idle one')).toBe('');
    const { text } = await section.get(`tokens/${record.id}`);
    expect([countsIn(text), wordsOf(text).includes('There were no requests.')]).toEqual([[], true]);
  });

  test('stays on its page after it was revoked', async () => {
    const { token, record } = await create('Ended');
    await section.panel.get('/api/v1/domains.php', token);
    await section.panel.api.usage.flush();
    await section.panel.api.tokens.revoke(record.id, AUTHOR);
    const { text } = await section.get(`tokens/${record.id}`);
    expect(countsIn(text)).toEqual([['domains', '1', '0', true]]);
  });

  /** A token with these requests so many days ago: with an answer, and with an error. */
  const used = async (name: string, counts: readonly [ago: number, answered: number, errors?: number][]) => {
    const { record } = await create(name);
    const rows = counts.flatMap(([ago, answered, errors = 0]) =>
      [
        [2, answered],
        [5, errors],
      ].map(([statusClass, requests]) => ({
        token_id: record.id,
        day: Math.floor(record.createdAt / 86_400) - ago,
        endpoint: 'domains',
        status_class: statusClass,
        requests,
      })),
    );
    await section.database.knex('panel_api_usage').insert(rows.filter(({ requests }) => requests !== 0));
    return (await section.get(`tokens/${record.id}`)).text;
  };

  test('covers 30 days, with separators between thousands', async () => {
    const text = await used('Long in use', [
      [29, 1_234_567],
      [30, 5],
    ]);
    expect(countsIn(text)).toEqual([['domains', '1,234,567', '0', false]]);
    expect(summaryIn(text)).toContain('1,234,567 requests , no errors.');
    expect(daysIn(text)).toHaveLength(30);
    expect(daysIn(text)[0]).toMatch(/: 1,234,567 requests$/);
  });

  test.each([
    [1, ['1', '0']],
    [7, ['8', '6', '4', '2', '0']],
    [360, ['400', '300', '200', '100', '0']],
    [36_000, ['40K', '30K', '20K', '10K', '0']],
  ])('has grid lines with round numbers for %d requests a day', async (requests, scale) => {
    expect(barsIn(await used(`Scale of ${requests}`, [[3, requests]]), 'requests').scale).toEqual(scale);
  });

  test('shows each day with requests beside a far busier one', async () => {
    const { heights } = barsIn(
      await used('A spike', [
        [9, 1],
        [8, 1_000_000],
        [7, 30],
      ]),
      'requests',
    );
    expect(heights).toHaveLength(3);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(3);
  });

  test('has its errors on a scale of their own, so that a spike of requests does not hide them', async () => {
    const text = await used('A spike and errors', [
      [9, 1_000_000],
      [8, 10, 3],
    ]);
    expect(barsIn(text, 'errors')).toEqual({ scale: ['5', '0'], heights: [60] });
    expect(summaryIn(text)).toContain('less than 0.1% of them errors: 0 refused (4xx), 3 failed (5xx).');
  });

  test('has no strip of errors if there were none', async () => {
    const text = await used('Without errors', [[1, 2]]);
    expect([barsIn(text, 'errors').scale, text.includes('Errors, on their own scale')]).toEqual([[], false]);
  });

  test('is a download of all days that are kept, the newest first, by endpoint and class of the status', async () => {
    const { token, record } = await create('Download');
    const day = (ago: number) =>
      new Date((record.createdAt - ago * 86_400) * 1000).toISOString().slice(0, 10);
    const row = { token_id: record.id, endpoint: 'domains', status_class: 2 };
    const today = Math.floor(record.createdAt / 86_400);
    await section.database.knex('panel_api_usage').insert([
      { ...row, day: today - 80, requests: 4 },
      { ...row, day: today - 80, status_class: 5, requests: 1 },
    ]);
    await section.panel.get('/api/v1/email.php', token);
    await section.panel.requestLines(1);
    const { status, headers, text } = await section.get(`tokens/${record.id}/usage.csv`);
    const file = `attachment; filename="token-${record.id}-usage.csv"`;
    expect([status, headers.get('Content-Disposition')]).toEqual([200, file]);
    expect(text.replace('\ufeff', '').split('\r\n')).toEqual([
      'day,endpoint,status,requests',
      `${day(0)},email,4xx,1`,
      `${day(80)},domains,2xx,4`,
      `${day(80)},domains,5xx,1`,
      '',
    ]);
    expect((await section.get('tokens/9999/usage.csv')).status).toBe(404);
  });

  test('has the last refusals of its token, one line for each code with its number, and the last of them', async () => {
    const { token, record } = await create('Refused');
    const page = async () => (await section.get(`tokens/${record.id}`)).text;
    expect(await page()).not.toContain('refused or failed');
    const refuse = (path: string, id: string) =>
      section.panel.get(`/api/v1/${path}`, token, { headers: { 'X-Request-Id': id } });
    for (let index = 1; index <= 5; index += 1) await refuse('email.php?limit=hidden', `email-${index}`);
    await refuse('domains.php?limit=0', 'domains-1');
    await refuse('databases.php', 'databases-1');
    await section.panel.api.usage.flush();
    const text = await page();
    const [, refusals = ''] = text.split('refused or failed (20 at most)</h2>');
    const lines = refusals
      .split('</table>')[0]!
      .split('<tr')
      .slice(2)
      .map((line) => wordsOf(`<tr${line}`).trim());
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^scope_missing 6 databases, email ${JUST_NOW} databases-1$`)),
      expect.stringMatching(new RegExp(`^query_invalid 1 domains ${JUST_NOW} domains-1$`)),
    ]);
    expect(text).not.toContain('hidden"');
  });
});
