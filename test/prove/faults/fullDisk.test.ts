import { join } from 'node:path';
import { panelApi } from '../../fixture/command/panelApi';
import { openHandle, type TestDatabase } from '../../fixture/databases';
import { type SmallDisk, smallDisk } from '../../fixture/faults/smallDisk';
import { handleSettings } from '../../fixture/handleSettings';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { startSectionPanel } from '../../fixture/section/sectionPanel';
import { figure } from '../figure';
import { findings } from './outage';
import { site } from './site';

const ME = '/api/v1/me.php';
const NOTE = 'n'.repeat(400);
const MOST_PAGES = 100;
const FULL = 'The query tokens.%s failed (SQLITE_FULL).';

/** The panel's SQLite file on this disk. */
async function databaseOn({ path }: SmallDisk, journal: string): Promise<TestDatabase> {
  const url = `sqlite:${join(path, 'panel.sqlite')}`;
  const knex = openHandle(handleSettings({ engine: 'sqlite', url }));
  await knex.raw(`PRAGMA journal_mode = ${journal}`);
  return { engine: 'sqlite', url, knex };
}

/** The tokens and the audit trail, without what a request changes. */
async function stored({
  knex,
}: TestDatabase): Promise<{ readonly tokens: object[]; readonly audit: object[] }> {
  const tokens = await knex('panel_api_tokens').select(
    'id',
    'version',
    'rotated_at',
    'revoked_at',
    'expires_at',
  );
  return { tokens, audit: await knex('panel_api_audit_log').select('token_id', 'action') };
}

describe.each(['delete', 'wal'])('On a disk that becomes full, SQLite with the journal %s', (journal) => {
  test('lets the panel keep all its promises meanwhile, and serve again two seconds later', async () => {
    const disk = smallDisk('8m');
    const database = await databaseOn(disk, journal);
    const place = await site(database);
    const { host } = place;
    const { record: kept, token } = await host.create();
    const before = await stored(database);
    const told: unknown[] = [];
    const found = await findings(place, {
      answer: '503 unavailable',
      async begin() {
        disk.fill();
        told.push(await host.create({ note: NOTE }).catch(String));
        told.push(await host.rotate(kept.id, { graceSeconds: 300 }).catch(String));
        told.push(await host.revoke(kept.id).catch(String));
        for (const words of ['create --name lost --scope *', `revoke ${kept.id}`]) {
          const { code, stdout, stderr } = await panelApi(database.url, ['token', ...words.split(' ')]);
          told.push([code, stdout, stderr]);
        }
      },
      end: () => disk.empty(),
    });
    figure(
      `SQLite (${journal}), disk full: requests, ms until all are served`,
      `${found.uses}, ${found.healedMs}`,
    );
    expect(found.broken).toEqual([]);
    const byCommand = [3, '', 'The database cannot be reached, or it failed (SQLITE_FULL).\n'];
    const names = ['create', 'rotate', 'revoke'].map((name) =>
      expect.stringContaining(FULL.replace('%s', name)),
    );
    expect(told).toEqual([...names, byCommand, byCommand]);
    expect(await stored(database)).toEqual(before);
    expect((await host.get(ME, token)).status).toBe(200);
    expect(await host.revoke(kept.id)).toMatchObject({ state: 'revoked' });
    expect((await host.get(ME, token)).status).toBe(401);
  });

  test('stores a change of a token and its audit entry or neither, however many pages are left', async () => {
    const disk = smallDisk('8m');
    const database = await databaseOn(disk, journal);
    const panel = await startPanel({ db: database.knex, rateLimit: { requests: 1_000_000 } });
    const { tokens } = panel.api;
    const create = () => tokens.create({ name: 'test', note: NOTE, scopes: ['*'] }, AUTHOR);
    const { record, token } = await create();
    const changes: Readonly<Record<string, readonly [() => Promise<unknown>, readonly string[]]>> = {
      create: [create, ['token.created']],
      rotate: [
        () => tokens.rotate(record.id, { graceSeconds: 3600 }, AUTHOR),
        ['token.created', 'token.rotated'],
      ],
      revoke: [() => tokens.revoke(record.id, AUTHOR), ['token.revoked']],
    };
    for (const [name, [change, actions]] of Object.entries(changes)) {
      const statuses = new Set<number>();
      for (let pages = 0, isDone = false; !isDone; pages += 1) {
        expect(pages).toBeLessThan(MOST_PAGES);
        disk.fill(pages);
        const before = await stored(database);
        const failure = await change().then(
          () => null,
          (error) => error,
        );
        const after = await stored(database);
        isDone = failure === null;
        if (failure) {
          expect(failure.message).toBe(FULL.replace('%s', name));
          expect(after).toEqual(before);
          statuses.add((await panel.get(ME, token)).status);
        } else {
          const added = after.audit.slice(before.audit.length) as { action: string }[];
          expect(added.map(({ action }) => action).sort()).toEqual(actions);
          expect(after.tokens).not.toEqual(before.tokens);
          figure(`SQLite (${journal}), disk full: pages for which ${name} fails`, pages);
        }
      }
      expect(statuses).toContain(503);
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    }
    disk.empty();
    expect((await panel.get(ME, token)).status).toBe(401);
    expect(await database.knex.raw('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('lets the section say that tokens are revoked only if they are, however many pages are left', async () => {
    const disk = smallDisk('8m');
    const section = await startSectionPanel('sqlite', {}, {}, await databaseOn(disk, journal));
    const { tokens } = section.panel.api;
    const ids: number[] = [];
    for (const name of ['First', 'Second', 'Third'])
      ids.push((await tokens.create({ name, scopes: ['*'] }, AUTHOR)).record.id);
    const confirmation = `tokens/revoke?${ids.map((id) => `id=${id}`).join('&')}`;
    // The key of the section's forms is stored when the first one is shown.
    expect((await section.get(confirmation)).status).toBe(200);
    const refused: (readonly string[])[] = [];
    for (let isDone = false; !isDone; ) {
      expect(refused.length).toBeLessThan(MOST_PAGES);
      disk.fill(refused.length);
      const { status, text } = await section.send(confirmation, 'tokens/revoke');
      const states = await Promise.all(ids.map(async (id) => (await tokens.get(id))!.state));
      isDone = !states.includes('active');
      expect(status).toBe(isDone ? 303 : 503);
      if (isDone) continue;
      expect([text.includes('Try again later.'), text.includes('class="notice good"')]).toEqual([
        true,
        false,
      ]);
      refused.push(states);
    }
    expect(refused.length).toBeGreaterThan(0);
    figure(`SQLite (${journal}), disk full: pages for which the section refuses to revoke`, refused.length);
  });
});
