import type { TokenEvent } from '../../../index';
import { describeEachEngine, describeOneEngine, freshDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';

const REQUEST = { name: 'x', scopes: ['profile.read'] };

describeEachEngine('The event of a new token', (engine) => {
  test('is told once for a token that is created, duplicated or rotated, and for none that is refused', async () => {
    const told: TokenEvent[] = [];
    const database = await freshDatabase(engine);
    const onTokenEvent = (event: TokenEvent) => told.push(event);
    const { api } = await startPanel({ db: database.knex, onTokenEvent });
    const { tokens } = api;
    const first = await tokens.create({ ...REQUEST, idempotencyKey: 'a' }, AUTHOR);
    const second = await tokens.duplicate(first.record.id, {}, AUTHOR);
    const third = await tokens.rotate(first.record.id, { graceSeconds: 300 }, AUTHOR);
    const records = [first, second, third].map((created) => created!.record);
    await expect(tokens.create({ ...REQUEST, idempotencyKey: 'a' }, AUTHOR)).rejects.toThrow();
    await expect(tokens.rotate(first.record.id, { graceSeconds: 300 }, AUTHOR)).rejects.toThrow();
    expect(await tokens.rotate(999, { graceSeconds: 300 }, AUTHOR)).toBeNull();
    await tokens.revoke(first.record.id, AUTHOR);
    expect(told).toEqual(records.map((token) => ({ type: 'created', token })));
    expect(records[2]?.lineage).toBe(first.record.id);
  });
});

describeOneEngine('A function that is told of a new token', (engine) => {
  test.each<[string, () => unknown, number]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
      1,
    ],
    ['rejects', () => Promise.reject(new Error('secret')), 1],
    ['never settles', () => new Promise(() => undefined), 0],
  ])('and %s changes nothing for it', async (_what, onTokenEvent, logged) => {
    const panel = await startPanel({ db: (await freshDatabase(engine)).knex, onTokenEvent });
    const { record } = await panel.api.tokens.create(REQUEST, AUTHOR);
    const lines = () => panel.log.filter(({ message }) => message === 'panel-api token event failed');
    await until(() => lines().length === logged);
    expect(lines().map(({ fields }) => fields)).toMatchObject(
      Array.from({ length: logged }, () => ({ type: 'created', token_id: record.id })),
    );
    expect(JSON.stringify(lines())).not.toContain('secret');
    expect((await panel.api.tokens.get(record.id))?.state).toBe('active');
  });
});
