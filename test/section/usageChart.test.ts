import { describeOneEngine } from '../fixture/databases';
import { type SectionPanel, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;

/** The table by endpoint: each with its counts of 2xx, 3xx, 4xx, 5xx, and of no answer. */
const countsIn = (text: string) => {
  const [, byEndpoint = ''] = /<details class="usage-tables">([\s\S]*?)<\/table>/.exec(text) ?? [];
  return [...byEndpoint.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g)].map(
    ([, endpoint, cells = '']) => [
      endpoint,
      ...[...cells.matchAll(/>([^<]*)<\/td>/g)].map(([, count = '']) => count),
    ],
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

  /** What the list says of a token's requests today. */
  const today = async (name: string) => {
    const { text } = await section.get(`tokens?search=${encodeURIComponent(name)}`);
    return /data-label="Requests today"[^>]*>([^<]*)</.exec(text)?.[1];
  };

  test('is on its page by endpoint and class of the status', async () => {
    const { token, record } = await create('Monitoring');
    for (const path of ['domains.php', 'domains.php', 'me.php', 'email.php', 'jobs.php', 'me.php?limit=x'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
    const { text } = await section.get(`tokens/${record.id}`);
    expect(countsIn(text)).toEqual([
      ['domains', '2', '0', '0', '0', '0'],
      ['email', '0', '0', '1', '0', '0'],
      ['jobs', '0', '0', '0', '1', '0'],
      ['me', '1', '0', '1', '0', '0'],
    ]);
    expect(summaryIn(text)).toContain('6 requests , 50% of them errors: 2 refused (4xx), 1 failed (5xx).');
    expect(daysIn(text).at(-1)).toMatch(/: 6 requests, 3 errors$/);
  });

  test('is in the list as the number of its requests today', async () => {
    const { token } = await create('Counted today');
    expect(await today('Counted today')).toBe('');
    for (const path of ['domains.php', 'email.php', 'me.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
    expect(await today('Counted today')).toBe('3');
  });

  test('is that of the token alone', async () => {
    const { token } = await create('A busy one');
    const { record } = await create('An idle one');
    await section.panel.get('/api/v1/domains.php', token);
    await section.panel.api.usage.flush();
    expect(await today('An idle one')).toBe('');
    const { text } = await section.get(`tokens/${record.id}`);
    expect([countsIn(text), wordsOf(text).includes('There were no requests.')]).toEqual([[], true]);
  });

  test('stays on its page after it was revoked', async () => {
    const { token, record } = await create('Ended');
    await section.panel.get('/api/v1/domains.php', token);
    await section.panel.api.usage.flush();
    await section.panel.api.tokens.revoke(record.id, AUTHOR);
    const { text } = await section.get(`tokens/${record.id}`);
    expect(countsIn(text)).toEqual([['domains', '1', '0', '0', '0', '0']]);
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
    expect(countsIn(text)).toEqual([['domains', '1,234,567', '0', '0', '0', '0']]);
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

  test('is also a table by day, the newest first', async () => {
    const text = await used('By day', [
      [2, 4],
      [1, 7],
    ]);
    const table = text.split('</table>')[1] ?? '';
    expect([...table.matchAll(/data-label="Answered \(2xx\)"[^>]*>([^<]*)</g)].map(([, n]) => n)).toEqual([
      '7',
      '4',
    ]);
  });
});
