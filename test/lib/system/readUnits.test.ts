import { readUnits, type UnitState } from '../../../lib/system/systemd';

/** Printed by systemd 252 for the arguments in this order, except for the units that `extra` makes up. */
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

test('a unit that runs on without its file is not called uninstalled', async () => {
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

test('the answers come in the order asked, unknown for names that are no unit’s', async () => {
  const units = await readUnits(['nope', '--help', 'nginx'], async () => RECORDED);
  expect(units.map(({ id, status }) => [id, status])).toEqual([
    ['nope', 'not_installed'],
    ['--help', 'unknown'],
    ['nginx', 'running'],
  ]);
});

test('systemctl gets each valid name once, behind the end of its options', async () => {
  const run = jest.fn(async () => RECORDED);
  await readUnits(['nginx', '--help', 'nginx.service', '7'], run);
  expect(run.mock.calls).toEqual([
    [['show', expect.stringMatching(/^--property=Id,/), '--', 'nginx.service', '7.service']],
  ]);
});

test('nothing is run for no valid name', async () => {
  const run = jest.fn(async () => RECORDED);
  expect(await readUnits([], run)).toEqual([]);
  expect((await readUnits(['a b'], run))[0]?.status).toBe('unknown');
  expect(run).not.toHaveBeenCalled();
});

test.each([
  ['no systemctl', Object.assign(new Error('spawn systemctl ENOENT'), { code: 'ENOENT' })],
  ['no systemd', Object.assign(new Error('System has not been booted with systemd'), { code: 1 })],
  ['a time-out', Object.assign(new Error('killed'), { killed: true, signal: 'SIGKILL' })],
])('with %s every unit is unknown', async (_name, error) => {
  const units = await readUnits(['nginx', 'cron'], () => Promise.reject(error));
  expect(units.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
});
