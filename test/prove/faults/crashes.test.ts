import { setTimeout as sleep } from 'node:timers/promises';
import { engines, freshDatabase } from '../../fixture/databases';
import { startHost } from '../../fixture/processes/hostProcess';
import { createLongTable, LONG } from '../../fixture/streams/longTable';
import { openList } from '../../fixture/streams/openList';
import { until } from '../../fixture/until';
import { writtenRequests } from '../../fixture/writtenRequests';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';

const DOMAINS = '/api/v1/domains.php';
const ME = '/api/v1/me.php';
const CRASHES = scaled({ fast: 2, full: 15 });
const LISTS = 4;
const CHANGES = 5;
const STEP_MS = 4;
const PATIENCE_MS = 500;
const OPTIONS = { deadlineMs: 1000, httpsRequired: false, rateLimit: { requests: 1_000_000 } };

describe.each(isWhole ? engines : (['mariadb'] as const))(
  'A process that is killed while it sends long lists and creates tokens (%s)',
  (engine) => {
    test('leaves no client a whole answer with rows missing, and each token its audit entry', async () => {
      const database = await freshDatabase(engine);
      await createLongTable(database.knex, LONG);
      const returned: number[] = [];
      let sent = 0;
      let logged = 0;
      const ended = { whole: 0, broken: 0 };
      for (let crash = 0; crash < CRASHES; crash += 1) {
        const host = await startHost(database, { options: OPTIONS });
        const { token, record } = await host.create();
        returned.push(record.id);
        const lists = await Promise.all(
          Array.from({ length: LISTS }, () => openList(host.url + DOMAINS, token)),
        );
        const beginnings = await Promise.all(lists.map((list) => list.some()));
        // Calls of a process that is killed are never answered.
        for (let change = 0; change < CHANGES; change += 1)
          void host.create().then((created) => returned.push(created.record.id));
        const rests = lists.map((list) => list.rest());
        // A fetch may wait for ever for a server that is killed while it connects.
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const init = { headers: { Authorization: `Bearer ${token}` }, signal };
        const short = Array.from({ length: LISTS }, () => fetch(host.url + ME, init).catch(() => null));
        sent += lists.length + short.length;
        await sleep(crash * STEP_MS);
        // On a busy machine, no request may be over so early.
        if (crash === CRASHES - 1) await until(() => requestIdsOf(host.printed()).length > 0);
        await host.stop();
        // Before the crash, another request may have its share of the connections.
        for (const answer of await Promise.all(short))
          expect([200, 503, undefined]).toContain(answer?.status);
        const ids = requestIdsOf(host.printed());
        expect(new Set(ids).size).toBe(ids.length);
        logged += ids.length;
        for (const [index, { text: rest, whole }] of (await Promise.all(rests)).entries()) {
          const text = beginnings[index] + rest;
          // The token's share of the connections is taken.
          if (lists[index]!.response.statusCode === 503) continue;
          expect(rowsIn(text)).toBe(whole ? LONG : null);
          ended[whole ? 'whole' : 'broken'] += 1;
        }
      }
      expect(ended.broken).toBeGreaterThan(0);
      expect(logged).toBeGreaterThan(0);

      const host = await startHost(database, { options: OPTIONS });
      const { token, record } = await host.create();
      expect((await host.get(ME, token)).status).toBe(200);
      await host.flush();
      const stored = await database.knex('panel_api_tokens').orderBy('id').pluck('id');
      const audited = await database
        .knex('panel_api_audit_log')
        .where({ action: 'token.created' })
        .orderBy('token_id')
        .pluck('token_id');
      expect(audited.map(Number)).toEqual(stored.map(Number));
      expect(stored.map(Number)).toEqual(expect.arrayContaining([...returned, record.id]));
      expect(await writtenRequests(database.knex)).toBeLessThanOrEqual(sent + 1);
      figure(`${engine}: lists broken off by a crash, whole before it`, `${ended.broken}, ${ended.whole}`);
      figure(`${engine}: tokens, each with its audit entry`, stored.length);
    });
  },
);

/** The ids of the requests that were logged before the crash. Its last line may be cut off. */
function requestIdsOf(printed: string): readonly string[] {
  const lines = printed.split('\n').filter((line) => line.startsWith('{"message":"panel-api request"'));
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line).request_id);
}

/** The number of rows of a list; null if it is cut off. */
function rowsIn(text: string): number | null {
  try {
    return JSON.parse(text).data.items.length;
  } catch {
    return null;
  }
}
