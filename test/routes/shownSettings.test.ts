import { describeEachEngine } from '../fixture/databases';
import { type ListPanel, pathOf, startListPanel } from '../fixture/listPanel';
import { createFilledTables, SECRET, SHOWN_SETTINGS } from '../fixture/panelTables';

describeEachEngine('The settings that the panel allows', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createFilledTables(knex);
        await knex('settings').insert([
          // Before, between and behind those that are allowed.
          { key: 'a.hidden', group: 'general', value: SECRET, updated_at: '2026-06-12 00:00:00' },
          { key: 'panel.name.hidden', group: 'general', value: SECRET, updated_at: '2026-06-12 00:00:00' },
          { key: 'zz.hidden', group: 'mail', value: SECRET, updated_at: '2026-06-12 00:00:00' },
        ]);
        await knex('settings').where({ key: 'panel.name' }).update({ updated_at: '2026-06-12 00:00:00' });
      },
      { settings: { keys: [...SHOWN_SETTINGS, 'not.there'] } },
    );
  });

  test.each<[Record<string, string>, readonly string[]]>([
    [{}, ['backup.keep_days', 'panel.name', 'smtp.password']],
    [{ group: 'general' }, ['panel.name']],
    [{ group: 'general,mail' }, ['panel.name', 'smtp.password']],
    [{ key: 'panel.name' }, ['panel.name']],
    [{ key: 'internal.unlisted' }, []],
    [{ key: 'a.hidden,panel.name,zz.hidden' }, ['panel.name']],
    [{ key: 'not.there' }, []],
    [{ key: 'PANEL.NAME,pänel.name' }, []],
    [{ key: '%' }, []],
    [{ key: 'panel.name', group: 'mail' }, []],
    [{ updated_since: '2026-06-12' }, ['panel.name']],
    [{ fields: 'value' }, ['backup.keep_days', 'panel.name', 'smtp.password']],
    [{ fields: 'key', group: 'mail' }, ['smtp.password']],
  ])('are all that %j asks for', async (parameters, keys) => {
    const { text, body } = await list.get(pathOf('settings', parameters));
    expect(body.data.items.map(({ key }: { key: string }) => key)).toEqual(keys);
    expect(text).not.toContain(SECRET);
    for (const limit of ['1', '2', '3', '1000']) {
      const pages = await list.pages(pathOf('settings', { ...parameters, limit }));
      expect(pages.flat()).toEqual(body.data.items);
      expect(pages).toHaveLength(Math.max(1, Math.ceil(keys.length / Number(limit))));
    }
  });

  test('never show a secret, whatever is asked for', async () => {
    expect(await list.items('settings.php?key=smtp.password&fields=value,is_set')).toEqual([
      { key: 'smtp.password', value: null, is_set: true },
    ]);
  });

  test.each(['value', 'label', 'type', 'is_set'])('cannot be filtered by their %s', async (parameter) => {
    const { status, body } = await list.get(`settings.php?${parameter}=x`);
    expect([status, body.error.parameter]).toEqual([400, parameter]);
  });
});
