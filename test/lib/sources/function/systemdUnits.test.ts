import { freshDatabase } from '../../../fixture/databases';
import { startPanel } from '../../../fixture/panel';
import { pretendSystemctl } from '../../../fixture/pretendSystemctl';

const SERVICES = '/api/v1/services.php';

const WITHOUT_SYSTEMD = `echo "System has not been booted with systemd as init system (PID 1). Can't operate." >&2
exit 1`;

const ON_A_SOCKET = `case "$*" in
*ssh.socket*) printf 'Id=ssh.socket\\nLoadState=loaded\\nActiveState=active\\nSubState=listening\\n' ;;
*) printf 'Id=ssh.service\\nLoadState=loaded\\nActiveState=inactive\\nSubState=dead\\nType=notify\\nTriggeredBy=ssh.socket\\n' ;;
esac`;

describe('services.php', () => {
  const start = async (script: string, units?: readonly { readonly unit: string }[]) => {
    await pretendSystemctl(script);
    const { knex } = await freshDatabase('sqlite');
    const panel = await startPanel({ db: knex, ...(units && { sources: { services: { units } } }) });
    const token = await panel.token();
    return (name: string) => panel.get(name, token);
  };

  test('answers 501 on a machine without systemd, and health.php says why', async () => {
    const get = await start(WITHOUT_SYSTEMD);
    const { status, body } = await get(SERVICES);
    expect([status, body.error]).toEqual([501, { code: 'resource_unavailable' }]);
    const { checks } = (await get('/api/v1/health.php')).body.data;
    expect(checks.find(({ name }: { name: string }) => name === 'source:services')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/^systemd does not run on this machine/),
    });
  });

  test('answers 503 if systemd does not say which services there are, and health.php fails', async () => {
    const get = await start('echo "Failed to connect to bus: Operation not permitted" >&2; exit 1');
    const { status, body } = await get(SERVICES);
    expect([status, body.error]).toEqual([503, { code: 'unavailable' }]);
    const { checks } = (await get('/api/v1/health.php')).body.data;
    expect(checks.find(({ name }: { name: string }) => name === 'source:services')).toMatchObject({
      status: 'fail',
      detail: 'systemd does not answer.',
    });
  });

  test('shows the services that the panel names as unknown if systemd does not answer', async () => {
    const get = await start('exit 1', [{ unit: 'nginx' }]);
    expect((await get(SERVICES)).body.data.items).toMatchObject([{ id: 'nginx', status: 'unknown' }]);
  });

  test('shows a service that its socket starts as running', async () => {
    const get = await start(ON_A_SOCKET, [{ unit: 'ssh' }]);
    expect((await get(SERVICES)).body.data.items).toMatchObject([
      { id: 'ssh', name: 'SSH', status: 'running', pid: null, started_at: null },
    ]);
  });
});
