import { hash } from 'node:crypto';
import type { AccountToken, TokenRecord } from '../../index';
import { ADMIN, asCustomer, type Customers, REQUEST, startCustomers } from '../fixture/customers';
import { engines, openHandle } from '../fixture/databases';
import { handleSettings } from '../fixture/handleSettings';
import { startPanel } from '../fixture/panel';
import { figure } from './figure';
import { printSeed, seed } from './input/seed';
import { isWhole, scaled } from './scale';

const REQUESTS = scaled({ fast: 200, full: 10_000 });
const ROUNDS = scaled({ fast: 2, full: 60 });
const ACCOUNTS = 12;
const MOST = 3;
const DAY = 86_400;

/** Numbers that are the same in each run with the same seed. */
function randomNumbers() {
  let drawn = 0;
  return (below: number) => {
    drawn += 1;
    return hash('sha256', `${seed} ${drawn}`, 'buffer').readUInt32LE() % below;
  };
}

interface Account {
  readonly id: string;
  /** How often its id was given to another one. */
  generation: number;
  isSuspended: boolean;
}

/** What the proof knows of a token. */
interface Known {
  readonly id: number;
  /** The accounts that it is bound to, each with how often its id was given away before. */
  readonly accounts: readonly string[];
  readonly isOwn: boolean;
  isActive: boolean;
}

/** Lets accounts and administrators act at random, and compares each answer with what the proof knows. */
class Life {
  readonly #customers: Customers;
  readonly #random: (below: number) => number;
  readonly #accounts: Account[] = [];
  readonly #known: Known[] = [];
  readonly counts = { created: 0, refused: 0, foreign: 0, changed: 0, listed: 0 };

  constructor(customers: Customers, random: (below: number) => number) {
    this.#customers = customers;
    this.#random = random;
  }

  async begin(): Promise<void> {
    for (let made = 0; made < ACCOUNTS; made += 1)
      this.#accounts.push({ id: await this.#customers.account(), generation: 0, isSuspended: false });
  }

  async step(): Promise<void> {
    const turn = this.#random(100);
    const account = this.#accounts[this.#random(ACCOUNTS)]!;
    if (turn < 30) await this.#create(account);
    else if (turn < 70) await this.#change(account);
    else if (turn < 85) await this.#list(account);
    else if (turn < 95) await this.#administrate(account);
    else await this.#disturb(account);
  }

  #mark({ id, generation }: Account): string {
    return `mark-${id}-${generation}`;
  }

  #own(account: Account): readonly Known[] {
    return this.#known.filter(({ isOwn, accounts }) => isOwn && String(accounts) === this.#mark(account));
  }

  /** Checks that an answer has no mark of another account, and returns it. */
  #checked<T>(account: Account, answer: T): T {
    const text = answer instanceof Error ? answer.message : JSON.stringify(answer);
    const marks = new Set(text?.match(/mark-[\d-]+/g));
    marks.delete(this.#mark(account));
    expect([...marks]).toEqual([]);
    return answer;
  }

  async #create(account: Account): Promise<void> {
    const other = this.#accounts[this.#random(ACCOUNTS)]!;
    const forged = [{}, {}, {}, { accountId: other.id }, { accountIds: [account.id, other.id] }];
    const request = forged[this.#random(forged.length)]!;
    const given = { ...REQUEST, name: this.#mark(account), ...request };
    const isRight = !('accountIds' in request) && (!('accountId' in request) || other.id === account.id);
    const active = this.#own(account).filter(({ isActive }) => isActive).length;
    const answer = await this.#customers.tokens.create(given, asCustomer(account.id)).catch((error) => error);
    this.#checked(account, answer);
    const isRefused = account.isSuspended || !isRight || active >= MOST;
    expect([given, answer instanceof Error]).toEqual([given, isRefused]);
    if (isRefused) this.counts.refused += 1;
    else await this.#add(answer.record, [this.#mark(account)], true);
  }

  async #add({ id }: TokenRecord, accounts: readonly string[], isOwn: boolean): Promise<void> {
    this.counts.created += 1;
    this.#known.push({ id, accounts, isOwn, isActive: true });
    await this.#customers.database
      .knex('panel_api_tokens')
      .where({ id })
      .update({ created_at: this.#customers.database.knex.raw('created_at - 61') });
  }

  /** An account changes a token by an id that it has guessed. */
  async #change(account: Account): Promise<void> {
    const own = this.#own(account).map(({ id }) => id);
    const all = [...this.#known.map(({ id }) => id), 0, 2 ** 31 - 1, 2 ** 40];
    const ids = own.length > 0 && this.#random(3) === 0 ? own : all;
    const id = ids[this.#random(ids.length)]!;
    const token = this.#own(account).find((one) => one.id === id);
    const author = asCustomer(account.id);
    const { tokens } = this.#customers;
    const act = this.#random(4);
    const attempt = [
      () => tokens.update(id, { name: this.#mark(account) }, author),
      () => tokens.extend(id, { expiresInSeconds: (100 + this.#random(200)) * DAY }, author),
      () => tokens.rotate(id, { graceSeconds: 30 * DAY }, author),
      () => tokens.revoke(id, author),
    ][act]!;
    const answer = this.#checked(account, await attempt().catch((error: Error) => error));
    if (!token) {
      this.counts.foreign += 1;
      // A suspended account and one with too many rotated tokens are refused whatever the id is.
      if (!(answer instanceof Error)) expect([act, id, answer]).toEqual([act, id, null]);
      else expect(answer.message).toMatch(/suspended|still active is limited/);
      return;
    }
    this.counts.changed += 1;
    expect(answer).not.toBeNull();
    if (act === 3) token.isActive = false;
    if (act !== 2 || answer instanceof Error || answer === null) return;
    await this.#add((answer as { record: TokenRecord }).record, token.accounts, true);
  }

  async #list(account: Account): Promise<void> {
    this.counts.listed += 1;
    const { tokens, state } = await this.#customers.tokens.ofAccount(account.id);
    this.#checked(account, tokens);
    expect(state).toBe(account.isSuspended ? 'suspended' : 'served');
    const visible = this.#known.filter(({ accounts }) => String(accounts) === this.#mark(account));
    const shown = ({ id, isOwn, state: one }: AccountToken) => [id, isOwn, one === 'active'];
    expect(tokens.map(shown)).toEqual(
      visible.map(({ id, isOwn, isActive }) => [id, isOwn, isActive]).toReversed(),
    );
  }

  /** An administrator creates a token of one account, of several or of all. */
  async #administrate(account: Account): Promise<void> {
    const other = this.#accounts[this.#random(ACCOUNTS)]!;
    const bindings = [
      { request: { accountId: account.id }, accounts: [account] },
      { request: { accountIds: [account.id, other.id] }, accounts: [...new Set([account, other])] },
      { request: {}, accounts: [] },
    ];
    const { request, accounts } = bindings[this.#random(bindings.length)]!;
    const marks = accounts.map((one) => this.#mark(one));
    const name = `${marks.join(' ')} by an administrator`;
    const { record } = await this.#customers.tokens.create(
      { ...REQUEST, name, note: name, ...request },
      ADMIN,
    );
    await this.#add(record, marks, false);
  }

  /** The id of an account is given to another one, or an account is suspended. */
  async #disturb(account: Account): Promise<void> {
    const row = this.#customers.database.knex('accounts').where({ id: account.id });
    if (this.#random(2) === 0) {
      account.generation += 1;
      const created = new Date(Date.UTC(2024, 0, 1, 0, account.generation));
      await row.update({ created_at: created.toISOString().slice(0, 19).replace('T', ' ') });
      return;
    }
    account.isSuspended = !account.isSuspended;
    await row.update({ status: account.isSuspended ? 'suspended' : 'active' });
  }
}

describe.each(isWhole ? engines : (['postgresql'] as const))('Customers (%s)', (engine) => {
  test('get no answer that tells of another account, and no more than the settings allow', async () => {
    const customers = await startCustomers(engine);
    await customers.panel.api.settings.change({ customerTokens: MOST, administratorsTokens: 'named' }, ADMIN);
    printSeed();
    const life = new Life(customers, randomNumbers());
    await life.begin();
    for (let done = 0; done < REQUESTS; done += 1) await life.step();
    for (const [name, count] of Object.entries(life.counts)) {
      figure(`${engine}: ${name} by or for customers`, count);
      expect([name, count > 0]).toEqual([name, true]);
    }
  });

  test('have exactly the allowed number of tokens, however many they create at once', async () => {
    const customers = await startCustomers(engine);
    await customers.panel.api.settings.change({ customerTokens: MOST }, ADMIN);
    const second = await startPanel({ db: openHandle(handleSettings(customers.database)) });
    await second.api.tokens.get(1);
    const apis = [customers.panel.api, second.api];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = [await customers.account(), await customers.account(), await customers.account()];
      const outcomes = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          apis[index % 2]!.tokens.create(REQUEST, asCustomer(ids[index % 3]!)).then(
            () => 'created',
            (error) => error.message,
          ),
        ),
      );
      expect(new Set(outcomes)).toEqual(
        new Set(['created', `The number of active tokens of the account is limited to ${MOST}: revoke one.`]),
      );
      for (const id of ids) expect((await customers.tokens.ofAccount(id)).tokens).toHaveLength(MOST);
    }
    figure(`${engine}: creations at once of customers`, 24 * ROUNDS);
  });
});
