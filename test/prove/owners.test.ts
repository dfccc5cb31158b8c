import type { Knex } from 'knex';
import type { TokenRequest } from '../../index';
import type { Answer } from '../fixture/answer';
import { engines, freshDatabase } from '../fixture/databases';
import { createPanelTables } from '../fixture/panelTables';
import { startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { figure } from './figure';
import { isWhole, scaled } from './scale';

const PROCESSES = scaled({ fast: 2, full: 4, long: 4 });
/** Requests that start after each kind of change has returned, on each database. */
const LATE = scaled({ fast: 100, full: 10_000 });
const CLIENTS = 4;
const USES_AFTER = scaled({ fast: 10, full: 25, long: 25 });
const PATHS = ['domains.php', 'domains.php?limit=5', 'domains.php?count=true', 'domains.php?account_id=1'];
const OPTIONS = { deadlineMs: 10_000, rateLimit: { requests: 10_000_000 } };

interface Change {
  /** The token of the account with this id. The account with the next id is its customer. */
  readonly request: (id: number) => Partial<TokenRequest>;
  readonly make: (knex: Knex, id: number) => Promise<unknown>;
  /** Whether a request that starts after the change may get this answer. */
  readonly isRight: (answer: Answer) => boolean;
}

const refusedAs = (code: string) => (answer: Answer) =>
  answer.status === 403 && answer.body.error.code === code;
const ofAccount = (id: number) => ({ accountId: id });

const CHANGES: Readonly<Record<string, Change>> = {
  suspension: {
    request: ofAccount,
    make: (knex, id) => knex('accounts').where({ id }).update({ status: 'suspended' }),
    isRight: refusedAs('account_suspended'),
  },
  deletion: {
    request: ofAccount,
    make: (knex, id) => knex('accounts').where({ id }).delete(),
    isRight: refusedAs('account_gone'),
  },
  'change of hands': {
    request: (id) => ({ accountId: id, owner: true }),
    make: (knex, id) =>
      knex('accounts')
        .where({ id: id + 1 })
        .update({ owner_id: null }),
    isRight: ({ status, body, text }) =>
      status === 200 && !text.includes('customer') && (body.data.total ?? 1) <= 1,
  },
  'reuse of an id': {
    request: ofAccount,
    make: (knex, id) =>
      knex.transaction(async (transaction) => {
        await transaction('accounts').where({ id }).update({ created_at: '2026-01-01 00:00:00' });
        await transaction('domains').where({ account_id: id }).update({ domain: 'foreign.example' });
      }),
    isRight: refusedAs('account_changed'),
  },
};

describe.each(isWhole ? engines : (['mariadb'] as const))('A token of an account (%s)', (engine) => {
  test.each(Object.entries(CHANGES))('is refused after a %s, in every process', async (name, change) => {
    const database = await freshDatabase(engine);
    const { knex } = database;
    await createPanelTables(knex, ['accounts', 'domains']);
    const hosts = await Promise.all(
      Array.from({ length: PROCESSES }, () => startHost(database, { options: OPTIONS })),
    );
    const counts = { late: 0, wrong: 0, before: 0, foreign: 0, failed: 0 };
    const life = async (id: number) => {
      const of = { status: 'active', created_at: '2024-01-01 00:00:00' };
      await knex('accounts').insert([
        { id, username: `user${id}`, owner_id: null, ...of },
        { id: id + 1, username: `user${id + 1}`, owner_id: id, ...of },
      ]);
      await knex('domains').insert([
        { domain: 'own.example', account_id: id },
        { domain: 'customer.example', account_id: id + 1 },
      ]);
      const { token } = await hosts[0]!.create(change.request(id));
      let changed = Infinity;
      const { before } = counts;
      const client = async (number: number) => {
        for (let turn = number, late = 0; late < USES_AFTER; turn += 1) {
          const isLate = performance.now() > changed;
          if (isLate) late += 1;
          const answer = await hosts[turn % PROCESSES]!.get(`/api/v1/${PATHS[turn % PATHS.length]}`, token);
          if (answer.status >= 500) counts.failed += 1;
          if (answer.text.includes('foreign')) counts.foreign += 1;
          if (isLate) counts.late += 1;
          else if (answer.status === 200) counts.before += 1;
          if (isLate && !change.isRight(answer)) counts.wrong += 1;
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
      await until(() => counts.before > before);
      await change.make(knex, id);
      changed = performance.now();
      await Promise.all(clients);
    };
    for (let id = 1; counts.late < LATE; id += 2) await life(id);
    figure(`${engine}: requests after a ${name}`, counts.late);
    figure(`${engine}: requests served before it`, counts.before);
    expect(counts).toMatchObject({ wrong: 0, foreign: 0, failed: 0 });
  });
});
