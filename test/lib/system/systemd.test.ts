import { fullUnitName, NoSystemd, readUnits, runSystemctl } from '../../../lib/system/systemd';
import { parseSystemdTime, type UnitState } from '../../../lib/system/unitState';
import { pretendSystemctl } from '../../fixture/pretendSystemctl';
import '../../fixture/tryAgain';

describe('readUnits', () => {
  /** The output of `systemctl show` of systemd 252 for these units. */
  const RECORDED = `MainPID=28
MemoryCurrent=[not set]
Id=nginx.service
Names=nginx.service web.service
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
ActiveEnterTimestamp=Fri 2026-11-20 16:58:04 UTC

MainPID=0
MemoryCurrent=[not set]
Id=broken.service
Names=broken.service
LoadState=loaded
ActiveState=failed
SubState=failed
UnitFileState=static
ActiveEnterTimestamp=Fri 2026-11-20 16:58:04 UTC

MainPID=0
MemoryCurrent=[not set]
Id=masked.service
Names=masked.service
LoadState=masked
ActiveState=inactive
SubState=dead
UnitFileState=masked
ActiveEnterTimestamp=

MainPID=0
MemoryCurrent=[not set]
Id=nope.service
Names=nope.service
LoadState=not-found
ActiveState=inactive
SubState=dead
UnitFileState=
ActiveEnterTimestamp=

MainPID=62
MemoryCurrent=[not set]
Id=slow.service
Names=slow.service
LoadState=loaded
ActiveState=activating
SubState=start
UnitFileState=static
ActiveEnterTimestamp=

MemoryCurrent=[not set]
Id=app.slice
Names=app.slice
LoadState=loaded
ActiveState=active
SubState=active
UnitFileState=static
ActiveEnterTimestamp=Fri 2026-11-20 16:58:02 UTC
`;

  async function read(name: string, output = RECORDED): Promise<UnitState> {
    return (await readUnits([name], async () => output))[0]!;
  }

  test('a running unit has its state', async () => {
    expect(await read('nginx')).toEqual({
      id: 'nginx',
      unit: 'nginx.service',
      status: 'running',
      enabled: true,
      pid: 28,
      memory_bytes: null,
      started_at: Date.UTC(2026, 10, 20, 16, 58, 4) / 1000,
    });
  });

  test.each([
    ['broken', 'failed', null],
    ['masked', 'stopped', false],
    ['nope', 'not_installed', null],
    ['slow', 'starting', null],
    ['app.slice', 'running', null],
    ['absent', 'unknown', null],
  ])('%s is %s, enabled %s', async (name, status, enabled) => {
    expect(await read(name)).toMatchObject({ id: name, status, enabled });
  });

  test('an alias shows the unit that it stands for', async () => {
    expect(await read('web')).toMatchObject({ id: 'web', unit: 'nginx.service', status: 'running' });
  });

  test('a unit that does not run was not started', async () => {
    expect((await read('broken')).started_at).toBeNull();
  });

  test('a unit that still runs without its file is not reported as not installed', async () => {
    expect(await read('x', 'Id=x.service\nLoadState=not-found\nActiveState=active\n')).toMatchObject({
      status: 'running',
    });
  });

  test.each([
    ['4411392', 4_411_392],
    ['18446744073709551615', null],
    ['[not set]', null],
    ['', null],
  ])('MemoryCurrent=%s is %s bytes', async (text, bytes) => {
    expect((await read('x', `Id=x.service\nMemoryCurrent=${text}\n`)).memory_bytes).toBe(bytes);
  });

  test('the states are in the order of the names, unknown for a name that cannot be a unit’s', async () => {
    const units = await readUnits(['nope', '--help', 'nginx'], async () => RECORDED);
    expect(units.map(({ id, status }) => [id, status])).toEqual([
      ['nope', 'not_installed'],
      ['--help', 'unknown'],
      ['nginx', 'running'],
    ]);
  });

  test('systemctl is passed each valid name once, after the end of its options', async () => {
    const run = jest.fn(async () => RECORDED);
    await readUnits(['nginx', '--help', 'nginx.service', '7'], run);
    expect(run.mock.calls[0]).toEqual([
      ['show', expect.stringMatching(/^--property=Id,/), '--', 'nginx.service', '7.service'],
    ]);
  });

  test('nothing is run if no name is valid', async () => {
    const run = jest.fn(async () => RECORDED);
    expect(await readUnits([], run)).toEqual([]);
    expect((await readUnits(['a b'], run))[0]?.status).toBe('unknown');
    expect(run).not.toHaveBeenCalled();
  });

  test('if systemctl does not answer in time, every unit is unknown', async () => {
    const error = Object.assign(new Error('killed'), { killed: true, signal: 'SIGKILL' });
    const units = await readUnits(['nginx', 'cron'], () => Promise.reject(error));
    expect(units.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  });

  test.each([
    ['systemctl', Object.assign(new Error('spawn systemctl ENOENT'), { code: 'ENOENT' })],
    ['systemd', Object.assign(new Error('System has not been booted with systemd'), { code: 1 })],
  ])('on a machine without %s, the states cannot be read', async (_name, error) => {
    await expect(readUnits(['nginx'], () => Promise.reject(error))).rejects.toThrow(NoSystemd);
  });

  /** The output of `systemctl show` for these units, each with the properties that it is about. */
  const shown = (units: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    Object.entries(units)
      .map(([id, properties]) =>
        Object.entries({ Id: id, LoadState: 'loaded', Type: 'simple', ...properties })
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      )
      .join('\n');
  const LISTENS = { ActiveState: 'active', SubState: 'listening' };
  const WAITS = { ActiveState: 'inactive', SubState: 'dead', Result: 'success' };
  const RUNS = { ActiveState: 'active', SubState: 'running' };
  const GROUP = {
    Type: 'oneshot',
    ActiveState: 'active',
    SubState: 'exited',
    ConsistsOf: 'pg@15.service pg@16.service',
  };

  test.each([
    [
      'that its socket starts',
      'running',
      { 'x.service': { ...WAITS, TriggeredBy: 'y.socket' }, 'y.socket': LISTENS },
    ],
    ['whose socket starts an instance', 'running', { 'x.service': WAITS, 'x.socket': LISTENS }],
    [
      'whose socket is stopped too',
      'stopped',
      { 'x.service': { ...WAITS, TriggeredBy: 'x.socket' }, 'x.socket': WAITS },
    ],
    [
      'that its timer starts',
      'running',
      {
        'x.service': { ...WAITS, TriggeredBy: 'x.timer' },
        'x.timer': { ActiveState: 'active', SubState: 'waiting' },
      },
    ],
    [
      'that failed though its socket listens',
      'failed',
      {
        'x.service': { ActiveState: 'failed', SubState: 'failed', TriggeredBy: 'x.socket' },
        'x.socket': LISTENS,
      },
    ],
    [
      'that crashes again and again',
      'failed',
      { 'x.service': { ActiveState: 'activating', SubState: 'auto-restart', Result: 'exit-code' } },
    ],
    [
      'that is started again after crashes',
      'failed',
      { 'x.service': { ActiveState: 'activating', SubState: 'start', Result: 'success', NRestarts: '7' } },
    ],
    [
      'that ended by itself and is started again',
      'starting',
      { 'x.service': { ActiveState: 'activating', SubState: 'auto-restart', Result: 'success' } },
    ],
    [
      'that starts for the first time',
      'starting',
      { 'x.service': { ActiveState: 'activating', SubState: 'start', NRestarts: '0' } },
    ],
    [
      'that does its work once, just now',
      'running',
      { 'x.service': { Type: 'oneshot', ActiveState: 'activating', SubState: 'start' } },
    ],
    [
      'that did its work once, such as a firewall',
      'running',
      { 'x.service': { Type: 'oneshot', ActiveState: 'active', SubState: 'exited' } },
    ],
    [
      'whose daemon has ended though systemd calls it active',
      'stopped',
      { 'x.service': { Type: 'forking', ActiveState: 'active', SubState: 'exited' } },
    ],
    [
      'that groups others which run',
      'running',
      { 'x.service': GROUP, 'pg@15.service': WAITS, 'pg@16.service': RUNS },
    ],
    [
      'that groups others of which one failed',
      'failed',
      {
        'x.service': GROUP,
        'pg@15.service': { ActiveState: 'failed', SubState: 'failed' },
        'pg@16.service': RUNS,
      },
    ],
    [
      'that groups others which are stopped',
      'stopped',
      { 'x.service': GROUP, 'pg@15.service': WAITS, 'pg@16.service': WAITS },
    ],
  ])('a service %s is %s', async (_, status, units: Parameters<typeof shown>[0]) => {
    const run = async ([, , , ...names]: readonly string[]) =>
      shown(Object.fromEntries(Object.entries(units).filter(([name]) => names.includes(name))));
    expect((await readUnits(['x'], run))[0]?.status).toBe(status);
  });

  test.each(['running', 'dead'])('a service that is %s is enabled if its socket is', async (SubState) => {
    const ActiveState = SubState === 'dead' ? 'inactive' : 'active';
    const service = { ActiveState, SubState, UnitFileState: 'disabled', TriggeredBy: 'x.socket' };
    const output = shown({ 'x.service': service, 'x.socket': { ...LISTENS, UnitFileState: 'enabled' } });
    expect((await readUnits(['x'], async () => output))[0]?.enabled).toBe(true);
  });
});

describe('runSystemctl', () => {
  test('arguments reach systemctl unchanged, without a shell', async () => {
    await pretendSystemctl('printf "%s|" "$@"');
    expect(await runSystemctl(['show', '--', '$(id)', 'a b'])).toBe('show|--|$(id)|a b|');
  });

  test('systemctl writes English and UTC, and is passed no other variable of the environment', async () => {
    await pretendSystemctl('echo "$LC_ALL $TZ [$HOME]"');
    expect(await runSystemctl([])).toBe('C UTC []\n');
  });

  test('a failing systemctl rejects', async () => {
    await pretendSystemctl('echo partial; exit 1');
    await expect(runSystemctl([])).rejects.toThrow();
  });

  test('a systemctl that hangs is ended after two seconds', async () => {
    await pretendSystemctl('exec sleep 60');
    const begun = performance.now();
    await expect(runSystemctl([])).rejects.toThrow();
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test('too much output rejects', async () => {
    await pretendSystemctl('exec head -c 2000000 /dev/zero');
    await expect(runSystemctl([])).rejects.toThrow(/maxBuffer/);
  });
});

describe('fullUnitName', () => {
  test.each([
    ['nginx', 'nginx.service'],
    ['php8.3-fpm', 'php8.3-fpm.service'],
    ['ssh.socket', 'ssh.socket'],
    ['postgresql@15-main', 'postgresql@15-main.service'],
    ['dev-disk-by\\x2dlabel.mount', 'dev-disk-by\\x2dlabel.mount'],
    ['123', '123.service'],
  ])('%s is the unit %s', (name, full) => {
    expect(fullUnitName(name)).toBe(full);
  });

  test.each([
    '',
    '-nginx',
    '--help',
    'a b',
    'nginx;id',
    'a/b',
    'a\nb',
    '*',
    'foo@',
    'foo@.service',
    '@foo',
    '.service',
    'ä',
    'a'.repeat(250),
  ])('%j is no unit', (name) => {
    expect(fullUnitName(name)).toBeNull();
  });
});

describe('parseSystemdTime', () => {
  test('a calendar time in UTC is read', () => {
    expect(parseSystemdTime('Fri 2026-06-12 00:00:00 UTC')).toBe(Date.UTC(2026, 5, 12) / 1000);
  });

  test.each(['', 'n/a', '@0', '0', 'Fri 2026-06-12 02:00:00 CEST', 'Fri 2026-99-12 00:00:00 UTC'])(
    '%j is no time',
    (text) => {
      expect(parseSystemdTime(text)).toBeNull();
    },
  );
});
