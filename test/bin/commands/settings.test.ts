import { userInfo } from 'node:os';
import { type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';

describe('panel-api settings', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('sqlite');
  });

  test('lists every setting with its default before one was set', async () => {
    const { code, stdout, stderr } = await database.run(['settings']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['NAME', 'VALUE', 'SOURCE', 'CHANGED', 'CHANGED BY'],
      ['enabled', 'false', 'default', '-', '-'],
      ['rate_limit_requests', '120', 'default', '-', '-'],
      ['rate_limit_window_seconds', '60', 'default', '-', '-'],
      ['https_required', 'true', 'default', '-', '-'],
      ['default_expiry_days', '90', 'default', '-', '-'],
      ['max_expiry_days', 'never', 'default', '-', '-'],
      ['last_used_address', 'true', 'default', '-', '-'],
      ['suspended_accounts', 'refuse', 'default', '-', '-'],
      ['after_restore', 'warn', 'default', '-', '-'],
      ['assistants_enabled', 'false', 'default', '-', '-'],
      ['customer_scopes', 'none', 'default', '-', '-'],
      ['customer_tokens', '5', 'default', '-', '-'],
      ['customer_expiry_days', '365', 'default', '-', '-'],
      ['customer_owner', 'false', 'default', '-', '-'],
      ['administrators_tokens', 'unnamed', 'default', '-', '-'],
      [''],
    ]);
    expect(stderr).toBe('Mount options override stored settings: use --config FILE to show them.\n');
  });

  test('set stores a value, with who changed it and when', async () => {
    const { code, stdout } = await database.run(['settings', 'set', 'rate_limit_requests', '240']);
    expect([code, stdout]).toEqual([0, 'The setting rate_limit_requests is 240.\n']);
    const [, requests] = await database.json('settings');
    expect(requests).toEqual({
      name: 'rate_limit_requests',
      value: 240,
      source: 'stored',
      option: 'rateLimit.requests',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      updated_by: userInfo().username,
      description: 'Requests that a token may send in one window.',
    });
    expect(await database.trail()).toEqual([
      expect.objectContaining({
        origin: 'cli',
        actor: userInfo().username,
        action: 'settings.changed',
        at: requests.updated_at,
        details: { rate_limit_requests: { from: 120, to: 240 } },
      }),
    ]);
  });

  test('set stores a list of scopes, and none', async () => {
    const set = async (text: string) =>
      (await database.run(['settings', 'set', 'customer_scopes', text])).stdout;
    expect(await set('ssl.read domains.read')).toBe(
      'The setting customer_scopes is domains.read ssl.read.\n',
    );
    expect(await set('*,domains.read')).toBe('The setting customer_scopes is domains.read *.\n');
    const listed = async () => (await database.json('settings')).find(isScopes);
    const isScopes = ({ name }: { name: string }) => name === 'customer_scopes';
    expect(await listed()).toMatchObject({ value: ['domains.read', '*'], source: 'stored' });
    const wrong = await database.run(['settings', 'set', 'customer_scopes', 'domains.read domain.read']);
    expect([wrong.code, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('Unknown scope "domain.read". Did you mean domains.read?'),
    ]);
    expect(await set('none')).toBe('The setting customer_scopes is none.\n');
    expect(await listed()).toMatchObject({ value: [] });
  });

  test('set turns the switch like enable', async () => {
    expect(await database.json('settings', 'set', 'enabled', 'on')).toEqual({ name: 'enabled', value: true });
    expect(await database.json('status')).toMatchObject({ enabled: true });
    expect(await database.trail()).toEqual([expect.objectContaining({ action: 'api.enabled' })]);
  });

  test.each(['never', '0'])('set understands %s as an expiry', async (word) => {
    const { stdout } = await database.run(['settings', 'set', 'default_expiry_days', word]);
    expect(stdout).toBe('The setting default_expiry_days is never.\n');
    expect((await database.json('settings'))[4]).toMatchObject({ value: null, source: 'stored' });
  });

  test.each([
    ['suspended_accounts', 'yes', 'The setting suspended_accounts must be refuse or allow.'],
    ['https_required', '1', 'The setting https_required must be true or false.'],
    ['https_required', '', 'The setting https_required must be true or false.'],
    ['enabled', 'never', 'The setting enabled must be true or false.'],
    [
      'rate_limit_requests',
      '0',
      'The setting rate_limit_requests must be a whole number from 1 to 1000000000.',
    ],
    [
      'rate_limit_window_seconds',
      '1e3',
      'The setting rate_limit_window_seconds must be a whole number from 1 to 86400.',
    ],
    [
      'default_expiry_days',
      '3651',
      'The setting default_expiry_days must be a whole number from 1 to 3650, or 0 for never.',
    ],
    [
      'toString',
      '1',
      'Unknown setting "toString". The settings are enabled, rate_limit_requests, rate_limit_window_seconds, https_required, default_expiry_days, max_expiry_days, last_used_address, suspended_accounts, after_restore, assistants_enabled, customer_scopes, customer_tokens, customer_expiry_days, customer_owner, administrators_tokens.',
    ],
  ])('set refuses %s %s with 2 and changes nothing', async (name, value, sentence) => {
    const { code, stdout, stderr } = await database.run(['settings', 'set', name, value]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
    expect((await database.installation.settings.describe()).map(({ source }) => source)).toEqual(
      Array(15).fill('default'),
    );
  });
});
