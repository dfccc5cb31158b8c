import { join } from 'node:path';
import { createPanelApi, type PanelApi } from '../../../index';
import { operations } from '../../../routes';
import { freshDatabase } from '../../fixture/databases';
import { AUTHOR, PATIENT_MS } from '../../fixture/panel';
import { createFilledTables } from '../../fixture/panelTables';
import { recordingLogger } from '../../fixture/recordingLogger';
import { hiddenFields, shownToken } from '../../fixture/section/sectionPanel';
import { createLongTable } from '../../fixture/streams/longTable';
import { runDirectory } from '../../servers/serverUrl';
import { HostProcess } from '../../steps/HostProcess';
import { arrangements, packages } from '../../steps/hosts/arrangements.cjs';
import { installNodes } from '../../steps/installNodes';
import { createHost, packOnce } from '../../steps/packedModule';
import { floorsOf, newest } from '../../steps/peers';
import { figure } from '../figure';
import { isWhole } from '../scale';
import { differences, SECTION, type Seen, type Sent } from './differences';

/** The oldest release of each line of Koa that the module supports with the oldest drivers, and the newest of all. */
const HOSTS = [
  {
    koa: floorsOf('koa')[0]!,
    node: '20.19.0',
    engine: 'mariadb',
    drivers: ['knex', 'mysql2'].flatMap(floorsOf),
  },
  { koa: floorsOf('koa')[1]!, node: '22', engine: 'postgresql', drivers: ['knex', 'pg'].flatMap(floorsOf) },
  { koa: newest('koa'), node: '26', engine: 'mariadb', drivers: ['knex', 'mysql2'].map(newest) },
] as const;
/** Requests at a time. */
const TOGETHER = 6;
/** The panel's own page with what reached its error handling. */
const ERRORS = '/errors';
const ME = '/api/v1/me.php';

describe.each(isWhole ? HOSTS : HOSTS.slice(-1))(
  'In a panel on $koa and Node $node with $drivers',
  (wanted) => {
    const { koa, engine, drivers } = wanted;
    let api: PanelApi;
    let url: string;
    let host: InstanceType<typeof HostProcess>;
    let requests: readonly Sent[];
    const alone = new Map<Sent, Promise<Seen>>();
    let compared = 0;

    beforeAll(async () => {
      const folder = join(runDirectory(), koa);
      const [node] = await installNodes([wanted.node], `${folder}-node`);
      const tarball = await packOnce(join(runDirectory(), 'packed'));
      await createHost(folder, {
        files: ['arranged.cjs', 'arrangements.cjs'],
        packages: [tarball, koa, ...drivers, ...packages],
      });
      const database = await freshDatabase(engine);
      await createLongTable(database.knex, 3_000, 'long_list');
      await createFilledTables(database.knex);
      api = createPanelApi({
        db: database.knex,
        logger: recordingLogger().logger,
        enabled: true,
        deadlineMs: PATIENT_MS,
      });
      const create = async (request = {}) =>
        (await api.tokens.create({ name: 'test', scopes: ['*'], ...request }, AUTHOR)).token;
      const every = await create();
      const limited = await create({ rateLimit: 1 });
      requests = requestsWith({ every, profile: await create({ scopes: ['profile.read'] }), limited });
      host = new HostProcess(node!.path, 'arranged.cjs', folder, {
        PANEL_API_DATABASE_URL: database.url,
      });
      url = await host.listening();
      // It has no requests left.
      await ask('alone', requests.find(({ headers }) => headers?.Authorization === `Bearer ${limited}`)!);
    });

    afterAll(async () => {
      figure(`answers compared on ${koa}`, compared);
      await host.stop();
    });

    async function ask(
      arrangement: string,
      { path, method = 'GET', headers = {}, body }: Sent,
    ): Promise<Seen> {
      const { prefix = '' } = arrangements[arrangement]!;
      const response = await fetch(url + (path === ERRORS ? '' : prefix) + path, {
        method,
        redirect: 'manual',
        headers: { 'X-Request-Id': 'arranged', 'X-Arrangement': arrangement, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    }

    async function compare(name: string, sent: Sent): Promise<void> {
      if (!alone.has(sent)) alone.set(sent, ask('alone', sent));
      const [expected, seen] = [await alone.get(sent)!, await ask(name, sent)];
      const found = differences(expected, seen, sent, arrangements[name]!);
      expect([`${sent.method ?? 'GET'} ${sent.path}`, ...found]).toHaveLength(1);
      compared += 1;
    }

    test.each(Object.keys(arrangements))(
      '%s: every answer is the one that the module gives alone',
      async (name) => {
        // Several at a time, because some measure for a while.
        for (let first = 0; first < requests.length; first += TOGETHER) {
          await Promise.all(requests.slice(first, first + TOGETHER).map((sent) => compare(name, sent)));
        }
        expect(JSON.parse((await ask(name, { path: ERRORS })).text)).toEqual([]);
      },
    );

    test.each(Object.keys(arrangements))('%s: the forms of the section do what they say', async (name) => {
      const send = async (
        page: string,
        action: string,
        fields: readonly [string, string][] = [],
        site = 'same-origin',
      ) => {
        const form = await ask(name, { path: `${SECTION}/${page}` });
        const body = new URLSearchParams([...hiddenFields(form.text, action), ...fields]);
        return ask(name, {
          path: `${SECTION}/${action}`,
          method: 'POST',
          headers: { 'Sec-Fetch-Site': site },
          body,
        });
      };
      const states = async (ids: readonly number[]) =>
        Promise.all(ids.map(async (id) => (await api.tokens.get(id))?.state));

      const review = 'tokens/review?name=x&scope=profile.read&scope=domains.read&allowed=';
      expect((await send(review, 'tokens', [], 'cross-site')).status).toBe(403);
      const created = shownToken((await send(review, 'tokens')).text);
      const me = await ask(name, { path: ME, headers: { Authorization: `Bearer ${created}` } });
      expect([me.status, JSON.parse(me.text).data.token.scopes]).toEqual([
        200,
        ['profile.read', 'domains.read'],
      ]);

      const many = await Promise.all(
        Array.from({ length: 30 }, () => api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR)),
      );
      const ids = many.map(({ record }) => record.id);
      const revoked = await send(`tokens/revoke?${ids.map((id) => `id=${id}`).join('&')}`, 'tokens/revoke');
      expect([revoked.status, await states(ids)]).toEqual([303, ids.map(() => 'revoked')]);

      const days = String(10 + Math.floor(Math.random() * 80));
      expect(
        (
          await send('settings', 'settings', [
            ['default_expiry_days', days],
            ['max_expiry_days', '0'],
          ])
        ).status,
      ).toBe(303);
      expect((await api.settings.read()).defaultExpiryDays).toBe(Number(days));
      expect(JSON.parse((await ask(name, { path: ERRORS })).text)).toEqual([]);
    });
  },
);

function requestsWith({
  every,
  profile,
  limited,
}: Readonly<Record<'every' | 'profile' | 'limited', string>>): Sent[] {
  const as = (bearer: string, headers = {}) => ({ Authorization: `Bearer ${bearer}`, ...headers });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return [
    ...operations.flatMap(({ name, kind }) => {
      const path = `/api/v1/${name}.php`;
      const headers = as(every);
      const one = { path: `${path}?limit=1`, headers };
      return [
        { path, headers },
        { path, headers, method: 'HEAD' },
        ...(kind === 'list' ? [one, { ...one, headers: as(every, { 'If-None-Match': '*' }) }] : []),
      ];
    }),
    { path: ME },
    { path: ME, method: 'HEAD' },
    { path: ME, headers: as(`pnl_${'0'.repeat(46)}`) },
    { path: '/api/v1/domains.php', headers: as(profile) },
    { path: '/api/v1/domains.php?limit=0', headers: as(every) },
    { path: ME, headers: as(limited) },
    { path: ME, headers: as(limited) },
    { path: '/api/v1', headers: as(every) },
    { path: '/api/v1/nothing.php', headers: as(every) },
    { path: '/api/v1/nothing.php', headers: as(every), method: 'OPTIONS' },
    { path: ME, headers: as(every), method: 'OPTIONS' },
    { path: ME, headers: as(every), method: 'DELETE' },
    { path: ME, headers: as(every, form), method: 'POST', body: 'a=1' },
    { path: ME, headers: as(every, { 'Content-Type': 'application/json' }), method: 'PUT', body: '{"a":1}' },
    ...['', 'tokens', 'tokens/new', 'settings', 'audit', 'reference', 'assets/section.css', 'nothing'].map(
      (page) => ({ path: `${SECTION}/${page}` }),
    ),
    { path: '/nothing' },
  ];
}
