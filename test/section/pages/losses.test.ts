import type { TokenRequest } from '../../../lib/tokens/TokenRecord';
import { describeOneEngine } from '../../fixture/databases';
import { JUST_NOW } from '../../fixture/justNow';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR } from '../../fixture/panel';
import {
  type Fields,
  hiddenFields,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';
import { setToken } from '../../fixture/tokenRows';

const TODAY = Math.floor(Date.now() / 86_400_000);

describeOneEngine('Before something is taken from a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  /** Creates a token with counts: days ago, endpoint, requests and, unless it is 2, class of the status. */
  const create = async (
    request: Partial<TokenRequest>,
    counts: readonly (readonly [
      ago: number,
      endpoint: string,
      requests: number,
      statusClass?: number,
    ])[] = [],
    row: object = {},
  ) => {
    const { api } = section.panel;
    const { record } = await api.tokens.create({ name: 'Billing', scopes: ['*'], ...request }, AUTHOR);
    const rows = counts.map(([ago, endpoint, requests, statusClass = 2]) => ({
      token_id: record.id,
      day: TODAY - ago,
      endpoint,
      status_class: statusClass,
      requests,
    }));
    if (rows.length > 0) await section.database.knex('panel_api_usage').insert(rows);
    const use = { last_used_at: record.createdAt - 180, last_used_address: '192.0.2.40' };
    if (rows.length > 0) await setToken(section.database.knex, record.id, { ...use, ...row });
    return record;
  };

  const USED = [
    [0, 'services', 300],
    [0, 'ssl', 20],
    [9, 'jobs', 1600],
  ] as const;

  const wordsOn = async (path: string) => wordsOf((await section.get(path)).text);

  test.each(['revoke', 'rotate', 'edit'])('the page to %s it says how it is used', async (action) => {
    const { id } = await create({}, USED);
    expect(await wordsOn(`tokens/${id}/${action}`)).toMatch(
      /Used 960 times a day, last 3 minutes ago from 192\.0\.2\.40 , by jobs, services, and ssl\./,
    );
  });

  test('it is said that it is used less than once a day, or not at all', async () => {
    const rare = await create({}, [
      [20, 'jobs', 2],
      [1, 'jobs', 1],
    ]);
    expect(await wordsOn(`tokens/${rare.id}/revoke`)).toContain(
      'Used 3 times in the last 30 days, last 3 minutes',
    );
    const never = await create({});
    const words = await wordsOn(`tokens/${never.id}/revoke`);
    expect(words).toContain('Not used in the last 30 days. Last use: never .');
  });

  test('those of several that were used today are on top, and the button counts them', async () => {
    const idle = await create({ name: 'Idle' });
    const some = await create({ name: 'Some' }, [[0, 'jobs', 1]]);
    const most = await create({ name: 'Most' }, [[0, 'jobs', 7]]);
    const list = (records: readonly { id: number }[]) =>
      `tokens/revoke?${records.map(({ id }) => `id=${id}`).join('&')}`;
    const { text } = await section.get(list([idle, some, most]));
    const rows = [...text.matchAll(/<th scope="row"><a [^>]*>(\w+)/g)].map(([, name]) => name);
    expect(rows).toEqual(['Most', 'Some', 'Idle']);
    expect(text).toContain('primary">Revoke 3, of which 2 were used today</button>');
    expect((await section.get(list([idle, some]))).text).toContain(
      '>Revoke 2, of which 1 was used today</button>',
    );
    expect((await section.get(list([idle, await create({})]))).text).toContain('>Revoke 2 tokens</button>');
    expect((await section.get(list([some]))).text).toContain('>Revoke token</button>');
  });

  const FORM = {
    name: 'Billing',
    note: '',
    account: '',
    addresses: '',
    rate_limit: '',
    expiry: 'keep',
    expiry_date: '',
  };
  const edit = (id: number, fields: Fields) =>
    section.send(`tokens/${id}/edit`, `tokens/${id}/edit`, { ...FORM, scope: '*', ...fields });
  const scopesOf = async (id: number) => (await section.panel.api.tokens.get(id))?.scopes;

  test('a change of scopes is reviewed if an endpoint of the last 30 days would refuse it', async () => {
    const { id } = await create({ scopes: ['jobs.read', 'ssl.read', 'services.read'] }, [
      [1, 'jobs', 5],
      [40, 'services', 5],
      [2, 'ssl', 5, 4],
    ]);
    const review = await edit(id, { scope: 'ssl.read' });
    expect(review.status).toBe(200);
    const words = wordsOf(review.text);
    expect(words).toContain('It can no longer read: jobs (used in the last 30 days).');
    expect(words).not.toContain('more rights');
    expect(await scopesOf(id)).toHaveLength(3);
    const action = `tokens/${id}/edit`;
    const hidden = Object.fromEntries(hiddenFields(review.text, action));
    expect((await section.send(action, action, { ...hidden, reviewed: 'yes' })).status).toBe(303);
    expect(await scopesOf(id)).toEqual(['ssl.read']);
  });

  test('a change of scopes that it has not used is saved at once', async () => {
    const { id } = await create({ scopes: ['jobs.read', 'ssl.read'] }, [[1, 'jobs', 5]]);
    expect((await edit(id, { scope: 'jobs.read' })).status).toBe(303);
    expect(await scopesOf(id)).toEqual(['jobs.read']);
  });

  test('one account in place of all is reviewed if it used what concerns the whole server', async () => {
    const { id } = await create({}, [
      [1, 'services', 5],
      [1, 'domains', 5],
    ]);
    const words = wordsOf((await edit(id, { account: '1' })).text);
    expect(words).toContain('It can no longer read: services (used in the last 30 days).');
  });

  test('other addresses are reviewed if its last one, or a remembered network, is outside of them', async () => {
    const networks = { seen_networks: '192.0.2.0/24=20000 198.51.100.0/24=20001+ 2001:db8::/48' };
    const { id } = await create({}, [[1, 'jobs', 5]], networks);
    const words = wordsOf((await edit(id, { addresses: '198.51.0.0/16' })).text);
    expect(words).toContain('will be refused: 192.0.2.40 , 192.0.2.0/24 , 2001:db8::/48 . Stored are');
    const all = '192.0.2.0/24\n198.51.100.0/24\n2001:db8::/32';
    expect((await edit(id, { addresses: all })).status).toBe(303);
  });

  test('other addresses are reviewed if it was used, and no address is stored', async () => {
    const { id } = await create({ allowedAddresses: ['192.0.2.0/24'] }, [[1, 'jobs', 5]], {
      last_used_address: null,
    });
    const words = wordsOf((await edit(id, { addresses: '192.0.2.7' })).text);
    expect(words).toContain('No address that it was used from is stored');
    const unused = await create({ allowedAddresses: ['192.0.2.0/24'] });
    expect((await edit(unused.id, { addresses: '192.0.2.7' })).status).toBe(303);
  });

  test('it can be rotated, edited and revoked if its use cannot be read', async () => {
    const { id } = await create({ scopes: ['jobs.read', 'ssl.read'] }, [[1, 'jobs', 5]]);
    const { knex } = section.database;
    await knex.schema.renameTable('panel_api_usage', 'unread');
    try {
      const pages = ['rotate', 'edit', 'revoke'].map((one) => section.get(`tokens/${id}/${one}`));
      expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([200, 200, 200]);
      const fields = { scope: ['jobs.read', 'ssl.read'] };
      expect((await edit(id, { ...fields, name: 'Other' })).status).toBe(303);
      const review = await edit(id, { scope: 'ssl.read' });
      expect(wordsOf(review.text)).toContain('How it was used cannot be read');
      const action = `tokens/${id}/edit`;
      const hidden = Object.fromEntries(hiddenFields(review.text, action));
      expect((await section.send(action, action, { ...hidden, reviewed: 'yes' })).status).toBe(303);
      expect(await scopesOf(id)).toEqual(['ssl.read']);
    } finally {
      await knex.schema.renameTable('unread', 'panel_api_usage');
    }
  });

  test('the page says of its own days how it was used, without refused requests', async () => {
    const { id } = await create({}, [
      [20, 'jobs', 4800],
      [20, 'ssl', 90, 4],
      [3, 'other', 7, 4],
    ]);
    expect(await wordsOn(`tokens/${id}/revoke`)).toContain('Used 4,800 times a day, last 3 minutes ago');
    const refused = await create({}, [[2, 'jobs', 4800, 4]]);
    expect(await wordsOn(`tokens/${refused.id}/revoke`)).toContain('Not used in the last 30 days.');
  });

  test('a narrowing to a part of a remembered network is saved at once', async () => {
    const { id } = await create({}, [[1, 'jobs', 5]], { seen_networks: '192.0.2.0/24=20000' });
    expect((await edit(id, { addresses: '192.0.2.40' })).status).toBe(303);
  });

  test('a lower limit is reviewed, with how it is used', async () => {
    const { id } = await create({ rateLimit: 100 }, USED);
    const words = wordsOf((await edit(id, { rate_limit: '10' })).text);
    expect(words).toContain('times a day, last 3 minutes ago');
    expect((await edit(id, { rate_limit: '100' })).status).toBe(303);
  });

  test('the switch names the busiest tokens and the requests', async () => {
    const own = await startSectionPanel(engine, OWN_SWITCH);
    await own.panel.api.settings.enable(AUTHOR);
    const { token, record } = await own.panel.api.tokens.create({ name: 'Shop', scopes: ['*'] }, AUTHOR);
    await own.panel.api.tokens.create({ name: 'Idle', scopes: ['*'] }, AUTHOR);
    const off = async () => (await own.send('settings', 'settings', { enabled: [] })).text;
    expect(wordsOf(await off())).not.toContain('requests today');
    for (let count = 0; count < 3; count += 1) await own.panel.get('/api/v1/me.php', token);
    await own.panel.api.usage.flush();
    const text = await off();
    expect(wordsOf(text)).toMatch(
      new RegExp(
        `3 requests today and 3 in the last 30 days\\. Token Last used Requests in 30 days Shop ${JUST_NOW}`,
      ),
    );
    expect(text).toContain(`href="tokens/${record.id}"`);
    expect(text).not.toContain('Idle');
    expect(text).not.toContain('more</a>');
    await own.panel.api.tokens.revoke(record.id, AUTHOR);
    const earlier = await own.panel.api.tokens.create({ name: 'Earlier', scopes: ['*'] }, AUTHOR);
    await setToken(own.database.knex, earlier.record.id, { last_used_at: record.createdAt - 50 * 86_400 });
    expect(wordsOf(await off())).toMatch(/3 requests today and 3 in the last 30 days\. /);
  });

  test('the page to switch the API off names the busiest tokens, and says how many others are used', async () => {
    const own = await startSectionPanel(engine, OWN_SWITCH);
    await own.panel.api.settings.enable(AUTHOR);
    for (let count = 0; count < 7; count += 1) {
      const { token } = await own.panel.api.tokens.create({ name: `Shop ${count}`, scopes: ['*'] }, AUTHOR);
      await own.panel.get('/api/v1/me.php', token);
    }
    await own.panel.api.usage.flush();
    const { text } = await own.send('settings', 'settings', { enabled: [] });
    expect(text.match(/>Shop \d</g)).toHaveLength(5);
    expect(text).toContain('<a href="tokens?filter=active&amp;order=requests">and 2 more</a>');
  });
});
