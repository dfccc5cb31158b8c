import { InvalidInput } from '../../../index';
import { describeOneEngine, freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const DAY = 86_400;
const REQUEST = { name: 'billing', scopes: ['accounts.read'] };
const REFUSED = 'A token must expire within 30 days, by the setting max_expiry_days.';

describeOneEngine('The life of a token', (engine) => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase(engine)).knex });
  });

  afterEach(() => panel.api.settings.change({ defaultExpiryDays: 90, maxExpiryDays: null }, AUTHOR));

  const create = async (expiry: object = {}) =>
    (await panel.api.tokens.create({ ...REQUEST, ...expiry }, AUTHOR)).record;

  const set = (values: object) => panel.api.settings.change(values, AUTHOR);

  test('is the default of the settings if it is created without an expiry, and null is never', async () => {
    const usual = await create();
    expect(usual.expiresAt).toBe(usual.createdAt + 90 * DAY);
    expect((await create({ expiresAt: null })).expiresAt).toBeNull();
    await set({ defaultExpiryDays: null });
    expect((await create()).expiresAt).toBeNull();
    await set({ defaultExpiryDays: 365, maxExpiryDays: 7 });
    const short = await create();
    expect(short.expiresAt).toBe(short.createdAt + 7 * DAY);
    expect(await panel.api.settings.tokenLife()).toEqual({ usual: 7, longest: 7 });
  });

  test('is at most max_expiry_days, until the end of the last day, however it is chosen', async () => {
    const { id, readAt } = await create({ expiresInSeconds: DAY });
    await set({ maxExpiryDays: 30 });
    const last = (Math.floor(readAt / DAY) + 31) * DAY - 1;
    expect((await create({ expiresAt: last })).expiresAt).toBe(last);
    const { tokens } = panel.api;
    for (const expiry of [{ expiresAt: null }, { expiresInSeconds: 32 * DAY }, { expiresAt: last + DAY }])
      for (const change of [
        () => create(expiry),
        () => tokens.duplicate(id, expiry, AUTHOR),
        () => tokens.update(id, expiry, AUTHOR),
        () => tokens.extend(id, expiry, AUTHOR),
        () => tokens.rotate(id, { graceSeconds: 300, ...expiry }, AUTHOR),
      ]) {
        const outcome = await change().catch((error) => error);
        expect(outcome).toBeInstanceOf(InvalidInput);
        expect(outcome.message).toBe(REFUSED);
      }
  });

  test('of a token that may never expire is shortened when it is rotated or duplicated, not when it is edited', async () => {
    const { id, readAt } = await create({ expiresAt: null });
    await set({ maxExpiryDays: 30 });
    const { tokens } = panel.api;
    expect(await tokens.update(id, { note: 'old' }, AUTHOR)).toMatchObject({ expiresAt: null });
    const last = (Math.floor(readAt / DAY) + 31) * DAY - 1;
    expect((await tokens.duplicate(id, {}, AUTHOR))?.record.expiresAt).toBe(last);
    expect((await tokens.rotate(id, { graceSeconds: 300 }, AUTHOR))?.record.expiresAt).toBe(last);
  });

  test.each([-1, 0.5, 3651, '30'])('takes no %p for the setting', async (days) => {
    await expect(set({ maxExpiryDays: days })).rejects.toThrow(
      'The setting max_expiry_days must be a whole number from 1 to 3650, or 0 for never.',
    );
  });
});
