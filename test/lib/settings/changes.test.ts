import type { Knex } from 'knex';
import { InvalidInput } from '../../../index';
import {
  describeEachEngine,
  describeOneEngine,
  freshDatabase,
  openHandle,
  type TestDatabase,
} from '../../fixture/databases';
import { handleSettings } from '../../fixture/handleSettings';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeEachEngine('A change of settings', (engine) => {
  let database: TestDatabase;
  let otherHandle: Knex;
  let panel: TestPanel;
  let other: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    otherHandle = openHandle(handleSettings(database));
    panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    other = await startPanel({ db: otherHandle, ...OWN_SWITCH });
    await panel.api.settings.read();
  });

  const trail = async () =>
    (await panel.api.audit.list())
      .toReversed()
      .map(({ action, actor, origin, details }) => [action, actor, origin, details]);

  test('is audited with the old and the new value of each setting', async () => {
    await panel.api.settings.change({ rateLimitRequests: 60, httpsRequired: false }, AUTHOR);
    await panel.api.settings.change({ rateLimitRequests: 30, defaultExpiryDays: null }, AUTHOR);
    expect(await trail()).toEqual([
      [
        'settings.changed',
        'tester',
        'panel',
        { rate_limit_requests: { from: 120, to: 60 }, https_required: { from: true, to: false } },
      ],
      [
        'settings.changed',
        'tester',
        'panel',
        { rate_limit_requests: { from: 60, to: 30 }, default_expiry_days: { from: 90, to: null } },
      ],
    ]);
  });

  test('reads nothing after it is stored: a failure then would say that nothing was changed', async () => {
    const sent: string[] = [];
    const note = ({ sql }: { sql: string }) => sent.push(sql);
    database.knex.on('query', note);
    await panel.api.settings.change({ rateLimitRequests: 60 }, AUTHOR);
    database.knex.off('query', note);
    expect(sent.at(-1)).toMatch(/^COMMIT/i);
  });

  test('of a list names both lists, in the order of the scopes, and an equal one is no change', async () => {
    const { settings } = panel.api;
    await settings.change({ customerScopes: ['*', 'ssl.read', 'domains.read'] }, AUTHOR);
    await settings.change({ customerScopes: ['domains.read', 'ssl.read', '*', '*'] }, AUTHOR);
    expect(await other.api.settings.get('customerScopes')).toEqual(['domains.read', 'ssl.read', '*']);
    const details = { customer_scopes: { from: [], to: ['domains.read', 'ssl.read', '*'] } };
    expect(await trail()).toEqual([['settings.changed', 'tester', 'panel', details]]);
  });

  test('is stored with the same time as its audit entry', async () => {
    await panel.api.settings.change({ httpsRequired: false }, AUTHOR);
    const [entry] = await panel.api.audit.list();
    const https = (await panel.api.settings.describe()).find(({ key }) => key === 'httpsRequired');
    expect(https?.updatedAt).toBe(entry?.at);
  });

  test('of the switch has audit actions of its own', async () => {
    await panel.api.settings.change({ enabled: true, rateLimitWindowSeconds: 30 }, AUTHOR);
    await panel.api.settings.disable(AUTHOR);
    expect(await trail()).toEqual([
      ['api.enabled', 'tester', 'panel', {}],
      ['settings.changed', 'tester', 'panel', { rate_limit_window_seconds: { from: 60, to: 30 } }],
      ['api.disabled', 'tester', 'panel', {}],
    ]);
  });

  test('stores what the values inherit, such as those of a class', async () => {
    await panel.api.settings.change(Object.create({ rateLimitRequests: 77 }), AUTHOR);
    expect(await panel.api.settings.get('rateLimitRequests')).toBe(77);
  });

  test('to the current values writes nothing', async () => {
    await panel.api.settings.change({ enabled: false, rateLimitRequests: 120, customerScopes: [] }, AUTHOR);
    await panel.api.settings.change({}, AUTHOR);
    expect(await trail()).toEqual([]);
    expect(await database.knex('panel_api_settings').pluck('name')).toEqual(['installation_id']);
  });

  test('waits for another one, and each audit entry begins with the value that the last one ended with', async () => {
    // SQLite's driver blocks while it waits: two handles in one process would wait for themselves.
    const second = engine === 'sqlite' ? panel : other;
    const values = Array.from({ length: 12 }, (_, index) => 1000 + index);
    await Promise.all(
      values.map((rateLimitRequests, index) =>
        [panel, second][index % 2]!.api.settings.change({ rateLimitRequests }, AUTHOR),
      ),
    );
    const steps = (await trail()).map(([, , , details]) => Object.values(details as object)[0]);
    expect(steps.map(({ to }) => to).sort()).toEqual(values);
    expect(steps.map(({ from }) => from)).toEqual([120, ...steps.slice(0, -1).map(({ to }) => to)]);
    expect(await panel.api.settings.get('rateLimitRequests')).toBe(steps.at(-1)?.to);
  });
});

describeOneEngine('A change of settings', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, ...OWN_SWITCH });
    await panel.api.settings.read();
  });

  const trail = () => panel.api.audit.list();

  const stored = () => database.knex('panel_api_settings').whereNot({ name: 'installation_id' });

  test.each([
    [{ httpsRequired: 'false' }, 'https_required', 'The setting https_required must be true or false.'],
    [{ httpsRequired: undefined }, 'https_required', 'must be true or false'],
    [{ enabled: 1 }, 'enabled', 'must be true or false'],
    [{ rateLimitRequests: 0 }, 'rate_limit_requests', 'a whole number from 1 to 1000000000'],
    [{ rateLimitRequests: '5' }, 'rate_limit_requests', 'a whole number'],
    [{ rateLimitRequests: Number.NaN }, 'rate_limit_requests', 'a whole number'],
    [{ rateLimitWindowSeconds: 86_401 }, 'rate_limit_window_seconds', 'from 1 to 86400'],
    [{ rateLimitWindowSeconds: null }, 'rate_limit_window_seconds', 'from 1 to 86400'],
    [{ defaultExpiryDays: 1.5 }, 'default_expiry_days', 'from 1 to 3650, or 0 for never'],
    [{ customerScopes: 'domains.read' }, 'customer_scopes', 'must be a list of scopes, or none.'],
    [{ customerScopes: [1] }, 'customer_scopes', 'Unknown scope "1". The scopes are '],
    [{ customerScopes: ['ssl.read', 'ssl'] }, 'customer_scopes', 'Unknown scope "ssl". The scopes are '],
    [{ customerTokens: 1001 }, 'customer_tokens', 'a whole number from 1 to 1000'],
    [{ customerExpiryDays: null }, 'customer_expiry_days', 'a whole number from 1 to 3650'],
    [{ administratorsTokens: 'all' }, 'administrators_tokens', 'unnamed, named or revocable'],
    [{ constructor: 1 }, 'settings', 'Unknown setting "constructor".'],
  ])('is refused as a whole if one value is wrong: %j', async (wrong, input, sentence) => {
    const change = panel.api.settings.change({ rateLimitRequests: 5, ...(wrong as object) }, AUTHOR);
    const error = await change.catch((reason) => reason);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error.input).toBe(input);
    expect(error.message).toContain(sentence);
    expect(await stored()).toEqual([]);
    expect(await trail()).toEqual([]);
  });

  test('is refused as a whole if the panel sets one of the settings', async () => {
    const fixed = await startPanel({ db: database.knex, httpsRequired: true, rateLimit: { requests: 5 } });
    try {
      for (const values of [{ enabled: false }, { httpsRequired: true }, { rateLimitRequests: 6 }]) {
        const change = fixed.api.settings.change({ defaultExpiryDays: 7, ...values }, AUTHOR);
        await expect(change).rejects.toThrow(/^The panel sets .* so it cannot be changed here\.$/);
      }
    } finally {
      await fixed.close();
    }
    expect(await stored()).toEqual([]);
  });

  test('is refused without the name of an actor', async () => {
    const change = panel.api.settings.change({ httpsRequired: false }, { actor: '', origin: 'panel' });
    await expect(change).rejects.toThrow('The actor must be a string');
  });
});
