import { describeEachEngine } from '../fixture/databases';
import { type SectionPanel, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;

/** The table of a token's requests: each endpoint with its counts of 2xx, 3xx, 4xx, 5xx, and of no answer. */
const countsIn = (text: string) =>
  [
    ...(text.split('<figure class="chart">')[1] ?? '').matchAll(
      /<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g,
    ),
  ].map(([, endpoint, cells = '']) => [
    endpoint,
    ...[...cells.matchAll(/>([^<]*)<\/td>/g)].map(([, count = '']) => count),
  ]);

describeEachEngine('The use of a token in the API section', (engine) => {
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
    const [, chart = ''] = /<svg([\s\S]*?)<\/svg>/.exec(text) ?? [];
    expect(chart).toContain('maximum 6');
    const [{ day } = { day: '' }] = await section.panel.api.usage.ofToken(record.id);
    expect(wordsOf(chart)).toContain(`${day}: 6`);
    expect(['class-2', 'class-3', 'class-4', 'class-5'].filter((one) => chart.includes(`"${one}"`))).toEqual([
      'class-2',
      'class-4',
      'class-5',
    ]);
  });

  test('is in the list as the number of its requests today', async () => {
    const { token } = await create('Counted today');
    expect(await today('Counted today')).toBe('0');
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
    expect(await today('An idle one')).toBe('0');
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

  test('covers 30 days, with separators between thousands', async () => {
    const { record } = await create('Long in use');
    const day = Math.floor(record.createdAt / 86_400);
    const row = (ago: number, requests: number) => ({
      token_id: record.id,
      day: day - ago,
      endpoint: 'domains',
      status_class: 2,
      requests,
    });
    await section.database.knex('panel_api_usage').insert([row(29, 1_234_567), row(30, 5)]);
    const { text } = await section.get(`tokens/${record.id}`);
    expect(countsIn(text)).toEqual([['domains', '1,234,567', '0', '0', '0', '0']]);
    expect(wordsOf(text)).toContain('maximum per day: 1,234,567');
  });
});
