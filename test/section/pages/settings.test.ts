import { describeOneEngine } from '../../fixture/databases';
import { JUST_NOW } from '../../fixture/justNow';
import { OWN_SWITCH } from '../../fixture/ownSwitch';
import {
  hiddenFields,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';

const ROOT = { actor: 'root', origin: 'cli' } as const;

/** What a browser sends of the settings page when nothing was changed on it. */
const UNCHANGED = {
  rate_limit_requests: '120',
  rate_limit_window_seconds: '60',
  https_required: 'on',
  default_expiry_days: '90',
  max_expiry_days: '0',
  last_used_address: 'on',
};

/** The tag of a setting's field. */
const fieldOf = (text: string, name: string) =>
  new RegExp(`<input[^>]* id="${name}"[^>]*>`).exec(text)?.[0] ?? '';

/** What the page calls a setting that is a number. */
const labelOf = (text: string, name: string) => new RegExp(`<label for="${name}">([^<]*)<`).exec(text)?.[1];

/** What the page says below a setting's field. */
const hintOf = (text: string, name: string) =>
  wordsOf(new RegExp(`id="${name}-hint">(.*?)</small>`).exec(text)?.[1] ?? '').trim();

describeOneEngine('The settings in the API section', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    // Nothing is fixed by the mount.
    section = await startSectionPanel(engine, { ...OWN_SWITCH, rateLimit: {} });
    await section.panel.api.settings.read();
  });

  beforeEach(async () => {
    const { knex } = section.database;
    await knex('panel_api_settings').whereNot({ name: 'section_form_key' }).delete();
    await knex('panel_api_audit_log').delete();
  });

  const page = async () => (await section.get('settings')).text;
  const save = (fields: Readonly<Record<string, string>>) => section.send('settings', 'settings', fields);
  /** Switches the API off, and confirms it. */
  const switchOff = async (fields: Readonly<Record<string, string>> = {}) => {
    const { text } = await save({ ...UNCHANGED, ...fields });
    return section.send('settings', 'settings', Object.fromEntries(hiddenFields(text, 'settings')));
  };
  const values = () => section.panel.api.settings.read();
  const entries = () => section.panel.api.audit.list();

  test('are shown as they are from the start', async () => {
    const text = await page();
    expect(fieldOf(text, 'enabled')).not.toContain('checked');
    expect(fieldOf(text, 'https_required')).toContain('checked');
    expect(fieldOf(text, 'rate_limit_requests')).toContain('value="120"');
    expect(fieldOf(text, 'rate_limit_window_seconds')).toContain('value="60"');
    expect(fieldOf(text, 'default_expiry_days')).toContain('value="90"');
    expect(fieldOf(text, 'rate_limit_requests')).toContain('min="1" max="1000000000"');
    expect(fieldOf(text, 'default_expiry_days')).toContain('min="0" max="3650"');
    for (const name of ['enabled', ...Object.keys(UNCHANGED)]) {
      expect(hintOf(text, name)).not.toContain('Changed by');
      expect(fieldOf(text, name)).not.toContain('disabled');
    }
  });

  test('are changed by the form, which then says who did it and when', async () => {
    const { status, headers } = await save({
      rate_limit_requests: '30',
      rate_limit_window_seconds: '10',
      default_expiry_days: '365',
      max_expiry_days: '0',
    });
    expect([status, headers.get('Location')]).toEqual([303, expect.stringContaining('settings?done=')]);
    expect(await values()).toEqual({
      enabled: false,
      rateLimitRequests: 30,
      rateLimitWindowSeconds: 10,
      httpsRequired: false,
      defaultExpiryDays: 365,
      maxExpiryDays: null,
      lastUsedAddress: false,
      suspendedAccounts: 'refuse',
      afterRestore: 'warn',
      assistantsEnabled: false,
      customerScopes: [],
      customerTokens: 5,
      customerExpiryDays: 365,
      customerOwner: false,
      administratorsTokens: 'unnamed',
    });
    const text = await page();
    expect(fieldOf(text, 'rate_limit_requests')).toContain('value="30"');
    expect(fieldOf(text, 'https_required')).not.toContain('checked');
    expect(hintOf(text, 'rate_limit_requests')).toMatch(
      new RegExp(`Usual: 120\\. Changed by ann ${JUST_NOW} \\.$`),
    );
  });

  test('that were edited are listed as saved, with their values', async () => {
    const { headers } = await save({ ...UNCHANGED, enabled: 'on', default_expiry_days: '0' });
    const words = async (path: string, admin = 'ann') =>
      wordsOf(/role="status">(.*?)<\/div>/.exec((await section.get(path, { admin })).text)?.[1] ?? '');
    const after = headers.get('Location') ?? '';
    expect(await words(after)).toBe('Saved: The API is on. Usual expiry: never ');
    expect(
      await words(
        (await save({ ...UNCHANGED, enabled: 'on', default_expiry_days: '0' })).headers.get('Location') ?? '',
      ),
    ).toBe('Nothing was changed.');
    // The page says it to no other administrator, no other page says it, and none shows a word of another link.
    const others = [after.replace('settings', 'audit'), `${after}A`, 'settings?done=x%3Cb%3E'];
    for (const path of others) expect([path, await words(path)]).toEqual([path, '']);
    expect(await words(after, 'bob')).toBe('');
  });

  test('that another administrator changed since the form was shown stay as they are', async () => {
    const { text } = await section.get('settings');
    await section.panel.api.settings.change({ httpsRequired: false }, { actor: 'bob', origin: 'panel' });
    const shown = Object.fromEntries(hiddenFields(text, 'settings'));
    await section.send('settings', 'settings', {
      ...shown,
      ...UNCHANGED,
      https_required: 'on',
      rate_limit_requests: '77',
    });
    const { httpsRequired, rateLimitRequests } = await section.panel.api.settings.read();
    expect([httpsRequired, rateLimitRequests]).toEqual([false, 77]);
  });

  test('are in one audit entry, each with its old and its new value', async () => {
    await save({ ...UNCHANGED, rate_limit_requests: '30', default_expiry_days: '0' });
    expect(await entries()).toEqual([
      expect.objectContaining({
        action: 'settings.changed',
        actor: 'ann',
        origin: 'api-section',
        details: {
          rate_limit_requests: { from: 120, to: 30 },
          default_expiry_days: { from: 90, to: null },
        },
      }),
    ]);
    const words = wordsOf((await section.get('audit')).text);
    expect(words).toContain('ann changed the settings');
    expect(words).toContain('Rate limit: from 120 to 30');
    expect(words).toContain('Usual expiry: from 90 to never');
  });

  test('are left as they are by a form on which nothing was changed', async () => {
    await section.panel.api.settings.change({ rateLimitRequests: 7 }, ROOT);
    const before = [await values(), await entries()];
    expect((await save({ ...UNCHANGED, rate_limit_requests: '7' })).status).toBe(303);
    expect([await values(), await entries()]).toEqual(before);
    expect(hintOf(await page(), 'rate_limit_requests')).toContain('Changed by root');
  });

  test('switch the API on and off for the very next request', async () => {
    const token = await section.panel.token();
    const ask = async () => (await section.panel.get('/api/v1/me.php', token)).status;
    expect(await ask()).toBe(503);
    await save({ ...UNCHANGED, enabled: 'on' });
    expect(await ask()).toBe(200);
    await switchOff();
    expect(await ask()).toBe(503);
    const actions = (await entries()).filter(({ action }) => action !== 'token.created');
    expect(actions.map(({ action, actor }) => [action, actor])).toEqual([
      ['api.disabled', 'ann'],
      ['api.enabled', 'ann'],
    ]);
  });

  test('name the switch without its state, which may not be saved yet', async () => {
    expect(await page()).toMatch(/<input type="checkbox" id="enabled".*>\n<span><b>The API<\/b>/);
  });

  test('ask before the API is switched off, and then say that it is off', async () => {
    await save({ ...UNCHANGED, enabled: 'on' });
    const { status, text } = await save({ ...UNCHANGED, default_expiry_days: '30' });
    expect([status, await section.panel.api.settings.enabled()]).toEqual([200, true]);
    expect(wordsOf(text)).toContain('Every endpoint then answers 503 to every program');
    const { headers } = await switchOff({ default_expiry_days: '30' });
    const saved = await section.get(headers.get('Location') ?? '');
    expect(wordsOf(saved.text)).toContain(
      'Saved: The API is off: every endpoint answers 503. Usual expiry: 30',
    );
    expect(await values()).toMatchObject({ enabled: false, defaultExpiryDays: 30 });
  });

  test('limit the very next request', async () => {
    const token = await section.panel.token();
    await save({ ...UNCHANGED, enabled: 'on', rate_limit_requests: '5' });
    const { headers } = await section.panel.get('/api/v1/me.php', token);
    expect(headers.get('RateLimit-Policy')).toContain('q=5;w=60');
  });

  test.each([
    ['rate_limit_requests', '0'],
    ['rate_limit_requests', '-1'],
    ['rate_limit_requests', '1.5'],
    ['rate_limit_requests', ''],
    ['rate_limit_requests', '1e3'],
    ['rate_limit_requests', '1000000001'],
    ['rate_limit_requests', '9'.repeat(400)],
    ['rate_limit_window_seconds', '86401'],
    ['rate_limit_window_seconds', 'an hour'],
    ['default_expiry_days', '3651'],
    ['default_expiry_days', 'never'],
  ])(
    'refuse %s as %p with a sentence that names the field by its label, and write nothing',
    async (name, value) => {
      const before = [await values(), await entries()];
      // A right value beside the wrong one is not written either.
      const right =
        name === 'rate_limit_window_seconds' ? 'rate_limit_requests' : 'rate_limit_window_seconds';
      const { status, text } = await save({ ...UNCHANGED, [right]: '77', [name]: value });
      expect(status).toBe(400);
      expect(/role="alert">([^<]*)</.exec(text)?.[1]).toMatch(
        new RegExp(`^“${labelOf(text, name)}” must be a whole number from 1 to \\d+(, or 0 for never)?\\.$`),
      );
      expect([await values(), await entries()]).toEqual(before);
      expect(text.match(/aria-invalid="true"/g)).toHaveLength(1);
      expect(fieldOf(text, name)).toContain('aria-invalid="true"');
    },
  );

  test('show the typed values again beside a wrong one', async () => {
    const { text } = await save({
      ...UNCHANGED,
      enabled: 'on',
      rate_limit_requests: '77',
      default_expiry_days: '"soon',
    });
    expect(fieldOf(text, 'rate_limit_requests')).toContain('value="77"');
    expect(fieldOf(text, 'default_expiry_days')).toContain('value="&quot;soon"');
    expect(fieldOf(text, 'enabled')).toContain('checked');
    const { text: again } = await save({
      rate_limit_requests: '0',
      suspended_accounts: 'allow',
      after_restore: 'refuse',
    });
    expect(again.match(/<input[^>]* checked>/g)).toEqual([
      expect.stringContaining('value="allow"'),
      expect.stringContaining('name="after_restore" value="refuse"'),
      expect.stringContaining('name="administrators_tokens" value="unnamed"'),
    ]);
  });

  test('are shown as they are if a form that contains only some of them is refused', async () => {
    const wrong = { shown_rate_limit_requests: '1', rate_limit_requests: 'x' };
    const { status, text } = await section.send('', 'settings', wrong);
    expect(status).toBe(400);
    expect(fieldOf(text, 'https_required')).toContain('checked');
    expect(fieldOf(text, 'rate_limit_requests')).toContain('value="120"');
  });
});

describeOneEngine('The settings that the panel fixes', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine, {
      enabled: () => true,
      rateLimit: { windowSeconds: 500 },
      httpsRequired: true,
    });
  });

  test('are shown as fixed by their options, in fields that cannot be changed', async () => {
    const { text } = await section.get('settings');
    for (const [name, option, mark] of [
      ['enabled', 'enabled', 'checked'],
      ['rate_limit_window_seconds', 'rateLimit.windowSeconds', 'value="500"'],
      ['https_required', 'httpsRequired', 'checked'],
    ] as const) {
      expect(hintOf(text, name)).toContain(`The mount option ${option} sets this value.`);
      expect(fieldOf(text, name)).toContain('disabled');
      expect(fieldOf(text, name)).toContain(mark);
    }
    for (const name of ['rate_limit_requests', 'default_expiry_days']) {
      expect(fieldOf(text, name)).not.toContain('disabled');
    }
  });

  test('are not changed by a form that carries them, and the others are', async () => {
    const { status } = await section.send('settings', 'settings', {
      rate_limit_requests: '20',
      rate_limit_window_seconds: '1',
      default_expiry_days: '0',
      max_expiry_days: '0',
      last_used_address: 'on',
    });
    expect(status).toBe(303);
    expect(await section.panel.api.settings.read()).toEqual({
      enabled: true,
      rateLimitRequests: 20,
      rateLimitWindowSeconds: 500,
      httpsRequired: true,
      defaultExpiryDays: null,
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
    });
    const names = (await section.database.knex('panel_api_settings').select('name')).map(({ name }) => name);
    expect(names).not.toContain('rate_limit_window_seconds');
    expect(names).not.toContain('https_required');
    expect(names).not.toContain('enabled');
    const entries = await section.panel.api.audit.list();
    expect(entries.map(({ action, details }) => [action, Object.keys(details).toSorted()])).toEqual([
      ['settings.changed', ['default_expiry_days', 'rate_limit_requests']],
    ]);
  });
});

test('The settings are in groups, with units in their fields', async () => {
  const { text } = await (await startSectionPanel('sqlite')).get('settings');
  const groups = Array.from(text.matchAll(/<h2>([^<]*)<\/h2>/g), ([, name]) => name);
  expect(groups).toEqual(['Access', 'Limits', 'Expiry', 'Privacy', 'Programs', 'For customers']);
  const units = Array.from(text.matchAll(/<span class="unit"><input[^>]*><span>(\w+)</g), ([, unit]) => unit);
  expect(units).toEqual(['requests', 'seconds', 'days', 'days', 'tokens', 'days']);
});

test('The settings have the labels and descriptions of the panel’s language', async () => {
  const de = {
    'setting.rate_limit_requests.title': 'Anfragen je Fenster',
    'setting.https_required.description': 'Ob Anfragen ohne HTTPS abgelehnt werden.',
  };
  const { text } = await (await startSectionPanel('sqlite', OWN_SWITCH, { languages: { de } })).get(
    'settings',
  );
  expect(labelOf(text, 'rate_limit_requests')).toBe('Anfragen je Fenster');
  expect(hintOf(text, 'https_required')).toBe('Ob Anfragen ohne HTTPS abgelehnt werden.');
});
