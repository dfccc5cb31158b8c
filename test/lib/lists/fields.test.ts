import { describeOneEngine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';

describeOneEngine('fields', (engine) => {
  let list: ListPanel;

  beforeAll(async () => {
    list = await startListPanel(
      engine,
      async (knex) => {
        await createFilledTables(knex);
        await knex('domains').insert({ domain: 'other.example', status: 'suspended', account_id: 2 });
        await knex('accounts').insert({ id: 2, username: 'bert' });
      },
      { settings: { keys: SHOWN_SETTINGS } },
    );
  });

  const members = async (path: string, token?: string) =>
    (await list.items(path, token)).map((item) => Object.entries(item).flat());

  test('shows these fields and the key, in their declared order', async () => {
    expect(await members('domains.php?fields=status,domain')).toEqual([
      ['id', 1, 'domain', 'shop.example', 'status', 'active'],
      ['id', 2, 'domain', 'other.example', 'status', 'suspended'],
    ]);
    expect(await members('domains.php?fields=domain,id,domain')).toEqual(
      await members('domains.php?fields=domain'),
    );
    expect(await members('settings.php?fields=value&group=general')).toEqual([
      ['key', 'panel.name', 'value', 'My Panel'],
    ]);
  });

  test('shows fields that are derived from omitted ones', async () => {
    expect(await members('backups.php?fields=duration_ms')).toEqual([['id', 1, 'duration_ms', 90_000]]);
    expect(await members('cron.php?fields=command_masked')).toEqual([['id', 1, 'command_masked', true]]);
  });

  test('of all fields returns the unchanged list', async () => {
    const whole = await list.items('email.php');
    const names = Object.keys(whole[0] ?? {}).toReversed();
    const { text } = await list.get(`email.php?fields=${names}`);
    expect(text).toContain(JSON.stringify(whole));
  });

  test('can be combined with filters on omitted fields', async () => {
    expect(await members('domains.php?fields=domain&status=suspended')).toEqual([
      ['id', 2, 'domain', 'other.example'],
    ]);
    expect(await members('domains.php?fields=id&account_id=1&limit=1')).toEqual([['id', 1]]);
  });

  test('can be combined with the time of a change that it omits', async () => {
    await list.database.knex('ssl').update({ updated_at: '2026-06-12 00:00:00' });
    expect(await members('ssl.php?fields=status&updated_since=2026-06-12')).toEqual([
      ['id', 1, 'status', 'valid'],
    ]);
    expect(await members('ssl.php?fields=status&updated_since=2026-06-13')).toEqual([]);
  });

  test('can be used with a token of one account even if it omits the account', async () => {
    expect(await members('domains.php?fields=domain', await list.bound(2))).toEqual([
      ['id', 2, 'domain', 'other.example'],
    ]);
  });

  test('may change from page to page', async () => {
    const { next_cursor } = (await list.get('domains.php?limit=1&fields=status')).body.data;
    expect(await members(`domains.php?limit=1&fields=domain&cursor=${next_cursor}`)).toEqual([
      ['id', 2, 'domain', 'other.example'],
    ]);
  });
});
