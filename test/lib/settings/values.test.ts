import type { SettingValues } from '../../../index';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel } from '../../fixture/panel';

const INITIAL: SettingValues = {
  enabled: false,
  rateLimitRequests: 120,
  rateLimitWindowSeconds: 60,
  httpsRequired: true,
  defaultExpiryDays: 90,
  maxExpiryDays: null,
  lastUsedAddress: true,
  suspendedAccounts: 'refuse',
  afterRestore: 'warn',
  assistantsEnabled: false,
  customerScopes: [],
  customerTokens: 5,
  customerExpiryDays: 365,
  customerOwner: false,
  administratorsTokens: 'unnamed',
};

const SET: SettingValues = {
  enabled: true,
  rateLimitRequests: 7,
  rateLimitWindowSeconds: 3600,
  httpsRequired: false,
  defaultExpiryDays: null,
  maxExpiryDays: 365,
  lastUsedAddress: false,
  suspendedAccounts: 'allow',
  afterRestore: 'refuse',
  assistantsEnabled: true,
  customerScopes: ['domains.read', '*'],
  customerTokens: 1000,
  customerExpiryDays: 3650,
  customerOwner: true,
  administratorsTokens: 'revocable',
};

const TEXTS = {
  enabled: 'true',
  rate_limit_requests: '7',
  rate_limit_window_seconds: '3600',
  https_required: 'false',
  default_expiry_days: '0',
  max_expiry_days: '365',
  last_used_address: 'false',
  suspended_accounts: 'allow',
  after_restore: 'refuse',
  assistants_enabled: 'true',
  customer_scopes: 'domains.read *',
  customer_tokens: '1000',
  customer_expiry_days: '3650',
  customer_owner: 'true',
  administrators_tokens: 'revocable',
};

describeOneEngine('The settings', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  const mount = async (options = {}) => {
    const panel = await startPanel({ db: database.knex, ...OWN_SWITCH, ...options });
    return panel.api;
  };

  const table = () => database.knex('panel_api_settings').whereNot({ name: 'installation_id' });

  const store = (texts: Record<string, string>) =>
    database
      .knex('panel_api_settings')
      .insert(
        Object.entries(texts).map(([name, value]) => ({ name, value, updated_at: 5, updated_by: 'hand' })),
      );

  test('have their defaults before one is set', async () => {
    const { settings } = await mount();
    expect(await settings.read()).toEqual(INITIAL);
    expect(await table()).toEqual([]);
  });

  test('have the values that were set, in every handle', async () => {
    const [one, other] = [await mount(), await mount()];
    await one.settings.change(SET, AUTHOR);
    expect(await other.settings.read()).toEqual(SET);
    const rows = await table().select('name', 'value');
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(TEXTS);
  });

  test("have the values of the panel's options, not the stored ones", async () => {
    await (await mount()).settings.change(SET, AUTHOR);
    const { settings } = await mount({
      enabled: () => false,
      rateLimit: { requests: 9, windowSeconds: 120 },
      httpsRequired: true,
    });
    expect(await settings.read()).toEqual({
      ...SET,
      enabled: false,
      rateLimitRequests: 9,
      rateLimitWindowSeconds: 120,
      httpsRequired: true,
    });
    expect(await settings.get('rateLimitRequests')).toBe(9);
    expect(await settings.get('defaultExpiryDays')).toBe(null);
  });

  test('are read in one statement', async () => {
    const { settings } = await mount();
    await settings.read();
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    database.knex.on('query', note);
    await settings.read();
    await settings.describe();
    await settings.get('httpsRequired');
    database.knex.off('query', note);
    expect(statements).toHaveLength(3);
  });

  test.each([
    { enabled: 'yes', https_required: 'no', rate_limit_requests: '0', default_expiry_days: '-1' },
    { enabled: 'TRUE', https_required: 'FALSE', rate_limit_requests: '1e3', default_expiry_days: '3651' },
    { enabled: '1', https_required: '0', rate_limit_window_seconds: '86401', default_expiry_days: 'never' },
    { enabled: ' true', https_required: 'false ', rate_limit_requests: '1.5', default_expiry_days: '00' },
    { enabled: '', https_required: '', rate_limit_requests: '', rate_limit_window_seconds: 'NaN' },
  ])('have their defaults if the stored texts cannot be read: %j', async (texts) => {
    const { settings } = await mount();
    await settings.read();
    await store(texts);
    expect(await settings.read()).toEqual(INITIAL);
    const unreadable = (await settings.describe()).filter(({ source }) => source === 'unreadable');
    expect(unreadable.map(({ name }) => name).sort()).toEqual(Object.keys(texts).sort());
    expect(unreadable[0]).toMatchObject({ updatedAt: 5, updatedBy: 'hand' });
  });

  test('replace a text that cannot be read even if the new value is the default', async () => {
    const { settings } = await mount();
    await settings.read();
    await store({ https_required: 'no' });
    await settings.change({ httpsRequired: true }, AUTHOR);
    expect(await table().select('value')).toEqual([{ value: 'true' }]);
  });

  test('are described with their source, and when and by whom they were changed', async () => {
    const { settings } = await mount({ rateLimit: { requests: 9 } });
    const since = Math.floor(Date.now() / 1000);
    await settings.change({ httpsRequired: false }, AUTHOR);
    const [enabled, requests, , https, expiry] = await settings.describe();
    expect(enabled).toEqual({
      key: 'enabled',
      name: 'enabled',
      title: 'The API',
      description: expect.any(String),
      expects: 'true or false',
      option: 'enabled',
      default: false,
      value: false,
      source: 'default',
      updatedAt: null,
      updatedBy: null,
    });
    expect(requests).toMatchObject({ value: 9, source: 'panel', default: 120, updatedBy: null });
    expect(requests?.bounds).toEqual({ minimum: 1, maximum: 1_000_000_000 });
    expect(expiry?.bounds).toEqual({ minimum: 0, maximum: 3650 });
    expect(https).toMatchObject({ value: false, source: 'stored', updatedBy: 'tester' });
    expect(Math.abs(Number(https?.updatedAt) - since)).toBeLessThan(60);
  });
});
