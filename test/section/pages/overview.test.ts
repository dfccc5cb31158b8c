import type { PanelApiOptions, TokenRequest } from '../../../index';
import { JUST_NOW } from '../../fixture/justNow';
import { LIST_NAMES } from '../../fixture/listNames';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR } from '../../fixture/panel';
import {
  hiddenFields,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';
import { setToken } from '../../fixture/tokenRows';

const DAY = 86_400;
const never = new Promise<never>(() => undefined);

/** The words of the page from a heading to the next one. */
const below = (text: string, heading: string) =>
  wordsOf(text.split(`<h2>${heading}</h2>`)[1]?.split(/<h2>|<footer>/)[0] ?? '').trim();

const LISTS = 'Lists of the API';
const ALL = LIST_NAMES.length;

/** With a long deadline, each part of the page has two seconds, whatever else the machine does. */
async function start(options: Partial<PanelApiOptions> = {}) {
  const section = await startSectionPanel('sqlite', { deadlineMs: 30_000, ...options });
  return { section, show: async () => (await section.get('')).text };
}

/** Creates a token with these values in its row. */
async function store({ panel, database }: SectionPanel, request: Partial<TokenRequest>, row: object = {}) {
  const { token, record } = await panel.api.tokens.create(
    { name: 'x', scopes: ['domains.read'], expiresInSeconds: 60 * DAY, ...request },
    AUTHOR,
  );
  const now = Math.floor(Date.now() / 1000);
  const values = Object.entries(row).map(([name, days]) => [name, now + days * DAY]);
  await setToken(database.knex, record.id, Object.fromEntries(values));
  return token;
}

describe('The overview of a new installation', () => {
  /** The three steps: what is done, and the button of what is open. */
  const steps = (text: string) =>
    [...text.matchAll(/<li( class="done")?><div><b>[\s\S]*?<\/li>/g)].map(([item, done]) =>
      done ? 'done' : /(?:<a|<button)[^>]*class="([^"]*)"|(<button)/.exec(item)?.[1],
    );

  test('leads to the first request in three steps, the next of which has the main button', async () => {
    const { section, show } = await start(OWN_SWITCH);
    expect(steps(await show())).toEqual(['primary', 'button', 'button']);
    expect((await section.send('', 'settings')).status).toBe(303);
    expect(steps(await show())).toEqual(['done', 'button primary', 'button']);
    const token = await store(section, { name: 'Billing' });
    const text = await show();
    expect(steps(text)).toEqual(['done', 'done', 'button primary']);
    expect(wordsOf(text)).toMatch(new RegExp(`Billing was created ${JUST_NOW} \\.`));
    expect((await section.panel.get('/api/v1/domains.php', token)).status).toBe(200);
    expect(steps(await show())).toEqual([]);
  });

  test('shows no figures and no attention that there can be none of yet', async () => {
    const { show } = await start(OWN_SWITCH);
    expect(await show()).not.toMatch(/<h2>(Requests|Tokens)/);
  });

  test('is not shown if the tokens were used, or if there are many', async () => {
    const { section, show } = await start();
    for (let count = 0; count < 6; count += 1) await store(section, {});
    expect(await show()).not.toContain('class="steps"');
  });
});

describe('The switch on the overview', () => {
  test('switches the API on, and the audit trail says who did it', async () => {
    const { section, show } = await start(OWN_SWITCH);
    await store(section, {}, { last_used_at: -1 });
    expect(wordsOf(await show())).toContain(
      'The API is off Every endpoint answers 503 until you switch it on.',
    );
    const { status, headers } = await section.send('', 'settings');
    expect([status, headers.get('Location')]).toEqual([303, expect.stringContaining('./?done=')]);
    expect(wordsOf(await show())).toMatch(new RegExp(`The API is on Switched on by ann ${JUST_NOW} \\.`));
    const [entry] = await section.panel.api.audit.list();
    expect(entry).toMatchObject({ action: 'api.enabled', actor: 'ann', origin: 'api-section' });
  });

  test('asks before it switches the API off', async () => {
    const { section, show } = await start(OWN_SWITCH);
    await store(section, {}, { last_used_at: -1 });
    await section.send('', 'settings');
    expect(await show()).toContain('role="switch" aria-checked="true"');
    const { status, text } = await section.send('', 'settings');
    expect([status, await section.panel.api.settings.enabled()]).toEqual([200, true]);
    expect(text).toContain('<h1>Switch the API off?</h1>');
    const confirmed = Object.fromEntries(hiddenFields(text, 'settings'));
    expect((await section.send('', 'settings', confirmed)).status).toBe(303);
    expect(await section.panel.api.settings.enabled()).toBe(false);
    expect(await show()).toContain('role="switch" aria-checked="false"');
  });

  test('stays off after the form of another administrator, or of another action', async () => {
    const { section, show } = await start(OWN_SWITCH);
    const [own, other] = [await show(), (await section.get('tokens/find')).text];
    const send = (form_token: string | undefined, admin: string) =>
      section.send('', 'settings', { form_token: form_token ?? '' }, { admin });
    const tokenOf = (text: string, action: string) =>
      Object.fromEntries(hiddenFields(text, action)).form_token;
    expect((await send(tokenOf(own, 'settings'), 'bob')).status).toBe(403);
    expect((await send(tokenOf(other, 'tokens/find'), 'ann')).status).toBe(403);
    expect(await section.panel.api.settings.enabled()).toBe(false);
  });

  test.each([true, false])('is the panel’s, if the mount option decides: %p', async (enabled) => {
    const { section, show } = await start({ enabled: () => enabled });
    const words = 'The panel decides this with the mount option enabled .';
    expect(wordsOf(await show())).toContain(words);
    await store(section, {}, { last_used_at: -1 });
    expect(wordsOf(await show())).toContain(words);
    expect(await show()).not.toContain('method="post"');
  });

  test.each<[string, () => Promise<boolean>, string]>([
    ['fails', () => Promise.reject(new Error('secret-81')), 'This cannot be read at the moment.'],
    ['never answers', () => never, 'This was not read in time.'],
  ])('of the panel takes nothing else with it if it %s', async (_what, enabled, words) => {
    const { section, show } = await start({ enabled });
    await store(section, {}, { last_used_at: -1 });
    const text = await show();
    expect(wordsOf(text)).toContain(words);
    expect(below(text, 'Requests')).toBe('There were no requests.');
    expect(text + JSON.stringify(section.panel.log)).not.toContain('secret-81');
  });
});

describe('The overview', () => {
  test('shows the requests of all tokens with the share of errors', async () => {
    const { section, show } = await start();
    const token = await store(section, {});
    for (let count = 0; count < 3; count += 1) await section.panel.get('/api/v1/domains.php', token);
    expect(below(await show(), 'Requests')).toMatch(/^Today \(UTC\) 3 no errors Last 30 days 3 no errors /);
    await section.panel.get('/api/v1/email.php', token);
    await section.panel.requestLines(4);
    const words = '4 1 error (25% of the requests)';
    const text = await show();
    expect(below(text, 'Requests')).toContain(`Today (UTC) ${words} Last 30 days ${words} `);
    expect(text.match(/class="day"/g)).toHaveLength(30);
    expect(text).toMatch(/: 4 requests, 1 error">/);
  });

  test('shows the requests of the day by the clock of the database', async () => {
    const { section, show } = await start();
    await section.panel.get('/api/v1/me.php', await section.panel.token());
    await section.panel.api.usage.flush();
    const now = Date.now;
    Date.now = () => now() - DAY * 1000;
    try {
      expect(await show()).toMatch(/class="day" role="img" aria-label="[^"]*\b1 request/);
    } finally {
      Date.now = now;
    }
  });

  test('names the busiest tokens and endpoints, and leads to the tokens', async () => {
    const { section, show } = await start();
    const tokens = [await store(section, { name: 'Quiet' }), await store(section, { name: 'Busy' })];
    const paths = ['domains', 'domains', 'email', 'nothing'];
    for (const path of paths) await section.panel.get(`/api/v1/${path}.php`, tokens[1]);
    await section.panel.get('/api/v1/domains.php', tokens[0]);
    await section.panel.api.usage.flush();
    const text = await show();
    const [columns, use] = ['Requests Errors Last used', JUST_NOW];
    expect(below(text, 'Busiest tokens in 30 days')).toMatch(
      new RegExp(`^Token ${columns} Busy 4 2 ${use} Quiet 1 0 ${use}$`),
    );
    expect(text).toContain('<a href="tokens/2">Busy</a>');
    expect(below(text, 'Busiest endpoints in 30 days')).toBe(
      'Endpoint Requests Errors domains 3 0 email 1 1 other 1 1',
    );
  });

  test('has the busiest tokens in the order of the numbers that it shows, the first with the longest bar', async () => {
    const { section, show } = await start();
    for (const name of ['One', 'Two']) await store(section, { name }, { last_used_at: 0 });
    const { knex } = section.database;
    const day = Math.floor(Date.now() / 1000 / DAY);
    // The sum of the first one still contains a day that is no longer counted.
    await knex('panel_api_usage_tokens').insert([
      { token_id: 1, requests: 900, settled: day - 1 },
      { token_id: 2, requests: 800, settled: day - 1 },
    ]);
    const counted = { endpoint: 'me', status_class: 2, last_at: 1 };
    await knex('panel_api_usage').insert([
      { ...counted, token_id: 1, day: day - 30, requests: 800 },
      { ...counted, token_id: 1, day, requests: 100 },
      { ...counted, token_id: 2, day, requests: 800 },
    ]);
    const part = (await show()).split('<h2>Busiest tokens in 30 days</h2>')[1]?.split('<h2>')[0] ?? '';
    const bars = [...part.matchAll(/tokens\/(\d)"[\s\S]*?<rect width="([^"]*)"/g)];
    expect(bars.map(([, ...bar]) => bar)).toEqual([
      ['2', '100'],
      ['1', '12.5'],
    ]);
  });

  test('has the base URL, the way to a new token, and the last five entries of the audit trail', async () => {
    const { section, show } = await start();
    for (let count = 1; count <= 6; count += 1) await store(section, { name: `Number ${count}` });
    const text = await show();
    expect(text).toContain(`id="base-url" readonly size="24" value="${section.panel.url}/api/v1"`);
    expect(text).toContain('<a class="button primary" href="tokens/new">');
    const trail = below(text, 'Audit trail');
    expect([trail.includes('Number 6'), trail.includes('Number 2'), trail.includes('Number 1')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('names the tokens that need attention, each with its time, and leads to the rest', async () => {
    const { section, show } = await start();
    for (let count = 7; count > 0; count -= 1)
      await store(section, { name: `Soon ${count}` }, { created_at: -30, expires_at: count + 0.01 });
    await store(section, { name: 'Late' }, { created_at: -30, expires_at: -2 });
    await store(section, { name: 'Idle' }, { created_at: -200, last_used_at: -100 });
    await store(section, { name: 'Fresh' });
    await store(section, { name: 'Stopped' }, { last_used_at: -5 });
    const today = Math.floor(Date.now() / 1000 / DAY);
    const used = Array.from({ length: 60 }, (_, index) => index + 1).flatMap((ago) => [
      { token_id: 0, day: today - ago },
      ...(ago >= 5 ? [{ token_id: 11, day: today - ago }] : []),
    ]);
    const counts = used.map((row) => ({ ...row, endpoint: 'domains', status_class: 2, requests: 1 }));
    await section.database.knex.batchInsert('panel_api_usage', counts, 50);
    await store(section, { name: 'Eager' }, { last_used_at: -1 });
    const refusal = { token_id: 12, endpoint: 'domains', code: 'rate_limited', request_id: 'x' };
    await section.database.knex('panel_api_refusals').insert({ ...refusal, at: today * DAY });
    await section.panel.api.tokens.create({ name: 'All', scopes: ['*'], expiresAt: null }, AUTHOR);
    const text = await show();
    const words = below(text, 'Tokens that need attention');
    expect(words).toMatch(
      /^7 tokens expire within 14 days Soon 1 #7 in 1 day Extend Rotate Soon 2 #6 in 2 days Extend Rotate .* and 2 more/,
    );
    expect(words).toContain('1 token expired in the last 14 days Late #8 2 days ago Duplicate');
    expect(words).toContain(
      '1 token has been silent for longer than usual Stopped #11 used 5 days ago Revoke 1 token was over',
    );
    expect(words).toContain('1 token was over its limit in the last 7 days Eager #12 used 1 day ago Edit');
    expect(words).toContain('1 token was not used for 90 days Idle #9 used 100 days ago Revoke');
    expect(words).toMatch(
      new RegExp(`1 token may read everything and never expires All #13 created ${JUST_NOW} Edit Rotate`),
    );
    expect(words).not.toContain('Fresh');
    expect(wordsOf((await section.get('tokens/11')).text)).toMatch(
      /Stopped #11 .* silent for longer than usual/,
    );
    expect((await section.get('tokens/12')).text).not.toContain('silent for longer');
    for (const link of ['tokens/7', 'tokens/7/extend', 'tokens?filter=expiring&amp;order=expiry'])
      expect(text).toContain(`href="${link}"`);
  });

  test('offers only what can be done with a token', async () => {
    const { section, show } = await start();
    await store(section, { name: 'Left' }, { created_at: -40, last_used_at: -1 });
    const { tokens } = section.panel.api;
    const rotated = await tokens.rotate(1, { graceSeconds: 3600 }, AUTHOR);
    await tokens.revoke(rotated!.record.id, AUTHOR);
    expect(below(await show(), 'Tokens that need attention')).toMatch(
      /Left #1 in (?:1 hour|59 minutes) Extend Active tokens by expiry$/,
    );
  });

  test('names the tokens that need attention also if the counts of requests cannot be read', async () => {
    const { section, show } = await start();
    await store(section, { name: 'Soon' }, { expires_at: 2, created_at: -40, last_used_at: -1 });
    await section.database.knex.schema.dropTable('panel_api_usage');
    const words = below(await show(), 'Tokens that need attention');
    expect(words).toBe(
      'Silent: This cannot be read at the moment. The log of the server contains the cause. 1 token expires within 14 days Soon #1 in 2 days Extend Rotate Active tokens by expiry',
    );
    const list = await section.get('tokens');
    expect([list.status, wordsOf(list.text)]).toEqual([
      200,
      expect.stringMatching(/Expiring 1 Silent Unused 0/),
    ]);
  });

  test('leads to the form of a common purpose, and from a search to the only token that it finds', async () => {
    const { section, show } = await start();
    await store(section, { name: 'Billing' }, { last_used_at: -1 });
    await store(section, { name: 'Backups' });
    const text = await show();
    const form = (await section.get(/href="(tokens\/new\?preset=billing)"/.exec(text)?.[1] ?? '')).text;
    expect(form).toMatch(/value="billing"[^>]*aria-pressed="true"/);
    expect(form).toMatch(/<input id="name"[^>]* autofocus>/);
    const search = new URLSearchParams(/name="(open)" value="(yes)"/.exec(text)?.slice(1, 3).join('='));
    const found = async (words: string) => {
      const { status, headers } = await section.get(`tokens?search=${words}&${search}`);
      return [status, headers.get('Location')];
    };
    expect(await found('billing')).toEqual([303, 'tokens/1']);
    expect(await found('b')).toEqual([200, null]);
    expect(await found('x')).toEqual([200, null]);
  });

  test('names the tokens that were refused last, and leads to the refusals of each', async () => {
    const { section, show } = await start();
    const part = async () =>
      (await show()).split('<h2>Refused or failed last</h2>')[1]?.split('<h2>')[0] ?? '';
    const token = await store(section, { name: 'Billing' }, { last_used_at: -1 });
    expect(wordsOf(await part())).toContain('No request was refused, and none failed.');
    for (const path of ['domains.php?limit=0', 'email.php'])
      await section.panel.get(`/api/v1/${path}`, token);
    await section.panel.api.usage.flush();
    const text = await part();
    expect(wordsOf(text)).toMatch(new RegExp(`Billing scope_missing email ${JUST_NOW}`));
    const link = /href="tokens\/(1#\w+)"/.exec(text)?.[1] ?? '';
    const [, after = ''] = (await section.get('tokens/1')).text.split(`id="${link.slice(2)}"`);
    expect(wordsOf(after)).toMatch(
      /scope_missing 1 email .* query_invalid 1 domains .* Requests in the last/,
    );
  });

  test('says that no token needs attention', async () => {
    const { section, show } = await start();
    await store(section, {}, { last_used_at: -1 });
    expect(below(await show(), 'Tokens that need attention')).toBe(
      'No token needs attention. Active tokens by expiry',
    );
  });

  test('says how many lists work, which have no table, and how those are mapped', async () => {
    const { section, show } = await start({ sources: { services: false } });
    const off = '1 is set to false , and answers 501: services .';
    expect(below(await show(), LISTS)).toBe(`${ALL - 1} of ${ALL} lists work. ${off}`);
    for (const name of ['websites', 'cron']) await section.database.knex.schema.dropTable(name);
    section.panel.tablesChanged();
    const text = await show();
    expect(below(text, LISTS)).toContain(
      `${ALL - 3} of ${ALL} lists work. ${off} 2 have no table or other source, and answer 501: websites , cron . How to map them websites : The table websites does not exist.`,
    );
  });

  test('shows what is remarked about a list that works', async () => {
    const { show } = await start({ sources: { services: false, jobs: { fields: { actor: 'gone' } } } });
    expect(below(await show(), LISTS)).toContain(
      '1 remark jobs : The table jobs has no column gone (field actor).',
    );
  });

  test('shows that a list fails, and nothing of the cause', async () => {
    const rows = () => Promise.reject(new Error('secret-82'));
    const { section, show } = await start({
      sources: { settings: { rows, fields: ['key', 'value'], keys: ['language'] } },
    });
    const text = await show();
    expect(below(text, LISTS)).toContain(
      '1 list fails. The log of the server contains the cause. settings : The check failed.',
    );
    expect(text + JSON.stringify(section.panel.log)).not.toContain('secret-82');
  });

  test('is shown without the result of a list that never answers', async () => {
    const { show } = await start({
      sources: { jobs: { rows: () => never, fields: ['id', 'type', 'status'] } },
    });
    const words = below(await show(), LISTS);
    expect(words).toContain(
      'Not checked in time, because the database or the server is busy: jobs . Check again',
    );
  });

  test('is shown without the part that fails, and the log has the cause', async () => {
    const { section, show } = await start();
    await store(section, {}, { last_used_at: -1 });
    await section.database.knex.schema.dropTable('panel_api_usage');
    const text = await show();
    expect(below(text, 'Requests')).toBe(
      'This cannot be read at the moment. The log of the server contains the cause.',
    );
    expect(below(text, LISTS)).toContain(`${ALL} of ${ALL} lists work.`);
    const lines = section.panel.log.filter(({ message }) => message === 'panel-api section part failed');
    expect(lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ actor: 'ann', part: 'totals.title', cause_query: 'usage.read' }),
    );
  });
});
