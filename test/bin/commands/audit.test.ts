import { type PanelDatabase, panelDatabase } from '../../fixture/command/panelDatabase';

describe('panel-api audit', () => {
  let database: PanelDatabase;

  beforeEach(async () => {
    database = await panelDatabase('sqlite');
  });

  test('a reader that closes the pipe early is no failure', async () => {
    await database.run(['enable']);
    const { code, stderr } = await database.start(['audit'], { closedPipe: true });
    expect([code, stderr]).toEqual([0, '']);
  });

  test('audit prints an action of a later version as it is stored', async () => {
    await database.run(['enable']);
    await database.knex('panel_api_audit_log').update({ action: 'token.painted' });
    expect((await database.run(['audit'])).stdout).toMatch(/^1 .* token\.painted +- +cli /m);
  });

  test('audit takes the filters together', async () => {
    for (const name of ['billing', 'backup'])
      await database.run(['token', 'create', '--name', name, '--scope', '*', '--expires', '1h']);
    await database.run(['token', 'revoke', '1']);
    const actions = async (...options: readonly string[]) =>
      (await database.json('audit', ...options)).map(({ action }: { action: string }) => action);
    expect(await actions('--name', 'BILL', '--since', '1h')).toEqual(['token.revoked', 'token.created']);
    expect(await actions('--name', 'bill', '--action', 'token.created')).toEqual(['token.created']);
    expect(await actions('--until', '2026-01-01')).toEqual([]);
    expect(await actions('--actor', 'Ada')).toEqual([]);
    const { code, stderr } = await database.run(['audit', '--since', 'yesterday']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a duration before now such as 12h')]);
  });
});
