import { describeEachEngine, describeOneEngine } from '../../../fixture/databases';
import { type ColumnType, sourcePanels } from '../../../fixture/sources/sourcePanels';

const MINUTE = 60_000;
const DAY = 86_400_000;

const berlin = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A moment as a clock in Berlin shows it: `2026-06-12 02:00:00`. */
const clock = (ms: number) => berlin.format(ms);
const german = (text: string) => text.replace(/^(\d+)-(\d+)-(\d+)/, '$3.$2.$1');

interface Form {
  readonly column: ColumnType;
  readonly source: object;
  readonly write: (ms: number) => string | number;
  /** A value that is no end. */
  readonly unreadable?: string | number;
  /** Whether the database compares the column. */
  readonly compared: boolean;
}

const ZONE = { zone: 'Europe/Berlin' };

const FORMS: Readonly<Record<string, Form>> = {
  'a date and time of a zone': { column: 'datetime', source: ZONE, write: clock, compared: true },
  'unix seconds': {
    column: 'integer',
    source: { time: 'unix' },
    write: (ms) => Math.round(ms / 1000),
    unreadable: 0,
    compared: true,
  },
  'a text in a format': {
    column: 'string',
    source: { time: 'DD.MM.YYYY hh:mm:ss', ...ZONE },
    write: (ms) => german(clock(ms)),
    unreadable: 'soon',
    compared: false,
  },
};

const FROM_NOW: readonly (readonly [ms: number, word: string])[] = [
  [-400 * DAY, 'expired'],
  [-MINUTE, 'expired'],
  [10 * MINUTE, 'expiring'],
  [30 * DAY - 10 * MINUTE, 'expiring'],
  [30 * DAY + 10 * MINUTE, 'far'],
  [400 * DAY, 'far'],
];

const DOMAIN = { domain: 'name', type: { value: 'primary' }, status: { value: 'active' } } as const;
const ORDER = { common_name: 'name' } as const;

describeEachEngine('The words from an end that is stored as', (engine) => {
  const panels = sourcePanels(engine);

  test.each(Object.entries(FORMS))('%s are right, and a filter finds them', async (_, form) => {
    const { column, source, write, unreadable, compared } = form;
    const ends = [null, ...FROM_NOW.map(([ms]) => write(Date.now() + ms)), ...[unreadable ?? []].flat()];
    const rows = ends.map((end) => ({ name: 'a.example', ends: end, state: 'ok' }));
    await panels.table('certs', { name: 'string', state: 'string', ends: column }, [
      ...rows,
      { name: 'b.example', ends: write(Date.now() + DAY), state: 'revoked' },
    ]);
    const end = { until: 'ends', ...source };
    const decided = { cases: [{ when: { state: 'revoked' }, is: 'revoked' }], otherwise: end } as const;
    const { items, statements, inspected, get } = await panels.start({
      domains: { table: 'certs', fields: { ...DOMAIN, ssl_status: end } },
      ssl: { table: 'certs', fields: { ...ORDER, status: decided } },
    });
    const words = (far: string, none: string) => [
      none,
      ...FROM_NOW.map(([, word]) => (word === 'far' ? far : word)),
      ...(unreadable === undefined ? [] : ['unknown']),
    ];
    const domains = await items('domains');
    expect(domains.map(({ ssl_status }) => ssl_status)).toEqual([...words('active', 'none'), 'expiring']);
    const orders = await items('ssl');
    expect(orders.map(({ status }) => status)).toEqual([...words('valid', 'unknown'), 'revoked']);

    for (const word of ['expired', 'expiring', 'active', 'none', 'unknown', 'expired,active'])
      expect([word, await items('domains', `?ssl_status=${word}`)]).toEqual([
        word,
        domains.filter(({ ssl_status }) => word.split(',').includes(ssl_status)),
      ]);
    for (const word of ['expired', 'expiring', 'valid', 'unknown', 'revoked', 'revoked,valid'])
      expect([word, await items('ssl', `?status=${word}`)]).toEqual([
        word,
        orders.filter(({ status }) => word.split(',').includes(status)),
      ]);
    await items('domains', '?ssl_status=expiring');
    if (compared) expect(statements.at(-1)).toMatch(/where .*ends\W* >= .*ends\W* <= /is);
    await items('domains', '?ssl_status=none');
    expect(statements.at(-1)).toMatch(/where .*ends\W* is null/is);
    const { counts } = (await get('ssl.php?count=status')).body.data;
    expect(counts).toEqual({
      expired: 2,
      expiring: 2,
      revoked: 1,
      unknown: unreadable === undefined ? 1 : 2,
      valid: 2,
    });
    const { detail } = await inspected('domains');
    expect(String(detail).includes('The field ssl_status')).toBe(unreadable === 'soon');
  });

  test('a day are those of its last second in the zone', async () => {
    const day = (days: number) => clock(Date.now() + days * DAY).slice(0, 10);
    const days = [-1, 0, 29, 30].map(day);
    await panels.table(
      'certs',
      { name: 'string', on: 'date', written: 'string' },
      days.map((on) => ({ name: 'a.example', on, written: german(on) })),
    );
    for (const end of [
      { until: 'on', ...ZONE },
      { until: 'written', time: 'DD.MM.YYYY', ...ZONE },
    ] as const) {
      const { items } = await panels.start({ ssl: { table: 'certs', fields: { ...ORDER, status: end } } });
      const orders = await items('ssl');
      expect(orders.map(({ status }) => status)).toEqual(['expired', 'expiring', 'expiring', 'valid']);
      for (const word of ['expired', 'expiring', 'valid'])
        expect(await items('ssl', `?status=${word}`)).toEqual(orders.filter(({ status }) => status === word));
    }
  });
});

describeOneEngine('An end that is no time', (engine) => {
  const panels = sourcePanels(engine);

  test('is unknown, and check names its column', async () => {
    const rows = Array.from({ length: 12 }, (_, day) => ({ name: 'a.example', ends: `${day + 10}.06.2026` }));
    await panels.table('certs', { name: 'string', ends: 'string' }, rows);
    const fields = { ...ORDER, status: { until: 'ends' } } as const;
    const { items, inspected } = await panels.start({ ssl: { table: 'certs', fields } });
    expect(new Set((await items('ssl')).map(({ status }) => status))).toEqual(new Set(['unknown']));
    expect((await inspected('ssl')).detail).toMatch(
      /field status \(column ends\) is unknown although its column has a value/,
    );
  });
});
