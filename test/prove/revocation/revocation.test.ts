import { setTimeout as sleep } from 'node:timers/promises';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { panelApi } from '../../fixture/command/panelApi';
import { type Engine, engines, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { freeze } from '../../fixture/faults/freeze';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';
import type { PrivateServer } from '../../servers/PrivateServer';
import { startMariadb } from '../../servers/startMariadb';
import { startPostgresql } from '../../servers/startPostgresql';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import { lateRefusals, type TokenLife, violations } from './history';
import { liveToken, type Revoke } from './liveToken';

const PROCESSES = scaled({ fast: 2, full: 4, long: 4 });
/** Requests that start after a revocation has returned and are refused for it, on each database. */
const LATE_REFUSALS = scaled({ fast: 400, full: 34_000 });
const TOKENS_AT_ONCE = 4;
/** The command takes long to start, so it revokes one token of so many. */
const COMMAND_EVERY = scaled({ fast: 5, full: 20, long: 20 });
const FAULT_EVERY_MS = scaled({ fast: 300, full: 5000, long: 5000 });
const FROZEN_MS = 300;

const OPTIONS = { deadlineMs: 2000, rateLimit: { requests: 10_000_000 } };

// The tests in test/lib/tokens do the same without faults on every database, so the slice takes one of them.
describe.each(isWhole ? engines : (['mariadb'] as const))(
  'A token that is revoked while it is used (%s)',
  (engine) => {
    test('is refused from then on, in every process and also if the database stops meanwhile', async () => {
      const { database, server } = await start(engine);
      const hosts = await startHosts(database);
      const revokers = await revokersOf(engine, database, hosts);
      const faults = startFaults(hosts, server);
      const lives: TokenLife[] = [];
      const ways: Record<string, number> = { process: 0, section: 0, command: 0 };
      let turn = 0;
      let late = 0;
      let hasFailed = false;
      const broken: string[] = [];
      const lifeAfterLife = async () => {
        // A token that is not refused would never be refused often enough.
        while (!hasFailed && broken.length === 0 && (late < LATE_REFUSALS || !faults.areDone())) {
          const [way, revoke] = revokers[turn++ % revokers.length]!;
          const life = await liveToken(hosts, revoke);
          lives.push(life);
          ways[way]! += 1;
          late += lateRefusals(life);
          broken.push(...violations(life));
        }
      };
      const lanes = Array.from({ length: TOKENS_AT_ONCE }, () =>
        lifeAfterLife().catch((error) => {
          hasFailed = true;
          throw error;
        }),
      );
      const ended = await Promise.allSettled(lanes);
      const counts = await faults.stop();
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);

      const outcomes = lives.flatMap(({ uses }) => uses.map(({ outcome }) => outcome));
      const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
      figure(`${engine}: tokens revoked`, JSON.stringify(ways));
      figure(`${engine}: requests refused after a revocation had returned`, late);
      figure(
        `${engine}: of all requests served, refused, 503`,
        [count('200'), count('401 token_revoked'), count('503 unavailable')].join(', '),
      );
      figure(`${engine}: faults`, JSON.stringify(counts));
      figure(`${engine}: violations`, broken.length);
      expect(broken).toEqual([]);
      expect(count('200')).toBeGreaterThan(0);
      for (const times of Object.values(ways)) expect(times).toBeGreaterThan(0);
    });
  },
);

/** Who revokes a token, and how. */
type Revoker = readonly ['process' | 'section' | 'command', Revoke];

async function start(engine: Engine): Promise<{ database: TestDatabase; server?: PrivateServer }> {
  if (engine === 'sqlite') return { database: await freshDatabase(engine) };
  const server = await (engine === 'mariadb' ? startMariadb({ durable: true }) : startPostgresql());
  closeAtEnd(() => server.stop());
  return { database: await ownDatabase(server, engine), server };
}

const startHosts = (database: TestDatabase) =>
  Promise.all(Array.from({ length: PROCESSES }, () => startHost(database, { options: OPTIONS })));

/** Ways to revoke a token, in the order in which they are used. Each throws if the revocation may have failed. */
async function revokersOf(
  engine: Engine,
  database: TestDatabase,
  hosts: readonly HostProcess[],
): Promise<readonly Revoker[]> {
  const section = await startSectionPanel(engine, OPTIONS, {}, database);
  const byPage: Revoke = async (id) => {
    const path = `tokens/${id}/revoke`;
    // If the answer to COMMIT was lost, the token is revoked: its page leads away and has no form.
    const page = await section.get(path);
    if (page.status === 303) return;
    if (page.status !== 200) throw new Error(`The section answered ${page.status}: ${wordsOf(page.text)}`);
    const { status, text } = await section.send(path, path);
    if (status !== 303) throw new Error(`The section answered ${status}: ${wordsOf(text)}`);
  };
  const byCommand: Revoke = async (id) => {
    const { code, stderr } = await panelApi(database.url, ['token', 'revoke', String(id)]);
    if (code !== 0) throw new Error(stderr);
  };
  const quick: readonly Revoker[] = [
    ...hosts.map(({ revoke }): Revoker => ['process', revoke]),
    ['section', byPage],
  ];
  return [
    ...Array.from({ length: COMMAND_EVERY - 1 }, (_, index) => quick[index % quick.length]!),
    ['command', byCommand],
  ];
}

/** Freezes a process of the panel, freezes the database and kills it, in turn, until it is stopped. */
function startFaults(hosts: readonly HostProcess[], server: PrivateServer | undefined) {
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    ...(server && {
      'the database frozen': async () => {
        const thaw = freeze(server);
        await sleep(FROZEN_MS);
        thaw();
      },
      'the database killed': async () => {
        await server.kill();
        await sleep(FROZEN_MS);
        await server.start();
      },
    }),
    'a process frozen': async () => {
      const { pid } = hosts.at(-1)!;
      process.kill(pid, 'SIGSTOP');
      await sleep(FROZEN_MS);
      process.kill(pid, 'SIGCONT');
    },
  };
  const counts = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));
  const stopping = new AbortController();
  const run = async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await sleep(FAULT_EVERY_MS, null, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const [name, cause] = Object.entries(faults)[turn % Object.keys(faults).length]!;
      await cause();
      counts[name]! += 1;
    }
  };
  const ended = run().finally(() => stopping.abort());
  return {
    /** Whether each fault has happened, or none happens any more. */
    areDone: () => stopping.signal.aborted || Object.values(counts).every((times) => times > 0),
    async stop() {
      stopping.abort();
      await ended;
      return counts;
    },
  };
}
