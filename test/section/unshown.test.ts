import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenRecord } from '../../index';
import { describeOneEngine } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { plainSql } from '../fixture/plainSql';
import {
  hiddenFields,
  type SectionPanel,
  shownToken,
  startSectionPanel,
  wordsOf,
} from '../fixture/section/sectionPanel';
import '../fixture/tryAgain';

describeOneEngine('A new token that the API section cannot show', (engine) => {
  let section: SectionPanel;
  let old: TokenRecord;

  const start = async (deadlineMs: number) => {
    // For such an address, the page of a new token reads a setting.
    section = await startSectionPanel(engine, { deadlineMs }, { apiUrl: 'http://panel.example' });
    old = (await section.panel.api.tokens.create({ name: 'old', scopes: ['*'] }, AUTHOR)).record;
  };

  /** Sends the form of a rotation, and lets `commit` answer its COMMIT. */
  const rotate = async (commit: (result: unknown) => unknown) => {
    const path = `tokens/${old.id}/rotate`;
    const form = Object.fromEntries(hiddenFields((await section.get(path)).text, path));
    const fields = { ...form, grace: '300', expiry: 'keep' };
    const { client } = section.database.knex;
    const query = client._query;
    client._query = async (connection: unknown, sent: { readonly sql: string }) => {
      const result = await query.call(client, connection, sent);
      if (plainSql(sent.sql) !== 'COMMIT') return result;
      client._query = query;
      return commit(result);
    };
    const { status, text } = await section.send('tokens', path, fields);
    expect([status, shownToken(text)]).toEqual([503, undefined]);
    expect(wordsOf(text)).toContain('no new token could be shown. See the list of tokens');
    return { path, fields };
  };

  const tokens = async () => {
    const [created, previous, ...others] = await section.panel.api.tokens.list();
    expect([others, previous?.state, previous!.expiresAt! - previous!.rotatedAt!]).toEqual([
      [],
      'active',
      300,
    ]);
    return created!;
  };

  test('because the answer to COMMIT is lost is revoked, and the one that it replaces has its grace', async () => {
    await start(30_000);
    await rotate(() => {
      throw new TypeError('no answer');
    });
    expect(await tokens()).toMatchObject({ lineage: old.id, state: 'revoked' });
  });

  test('because the page is too late is in the list, and is named if the form is sent again', async () => {
    await start(1000);
    const { settings } = section.panel.api;
    const get = settings.get.bind(settings) as (name: string) => Promise<never>;
    jest.spyOn(settings, 'get').mockImplementation(async (name) => {
      if (name === 'httpsRequired') await sleep(900);
      return get(name);
    });
    const { path, fields } = await rotate((result) => sleep(500, result));
    jest.restoreAllMocks();
    const { id, state } = await tokens();
    expect(state).toBe('active');
    const { status, text } = await section.send('tokens', path, fields);
    expect([status, text.includes(`tokens/${id}"`)]).toEqual([409, true]);
    await tokens();
  });
});
