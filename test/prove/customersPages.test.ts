import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { TokenRecord } from '../../index';
import { engines } from '../fixture/databases';
import { type AccountPanel, customer, startAccountPanel } from '../fixture/section/accountPanel';
import { formFields, hiddenFields, type ShownPage, shownToken } from '../fixture/section/sectionPanel';
import { figure } from './figure';
import { printSeed, seed } from './input/seed';
import { isWhole, scaled } from './scale';

const REQUESTS = scaled({ fast: 120, full: 10_000 });
const ACCOUNTS = [21, 22, 23, 24] as const;
const NEW = 'tokens/new';
const ACTIONS = ['', '/usage.csv', '/extend', '/rotate', '/revoke'] as const;
const ADMIN = { actor: 'mark-admin', origin: 'api-section', address: '198.51.100.77' } as const;
/** What no answer may have: the marks of other accounts, and what is an administrator's. */
const MARKS = /mark-[\w-]*|198\.51\.100\.77/g;

/** Numbers that are the same in each run with the same seed. */
function randomNumbers() {
  let drawn = 0;
  return (below: number) => {
    drawn += 1;
    return hash('sha256', `pages ${seed} ${drawn}`, 'buffer').readUInt32LE() % below;
  };
}

interface Customer {
  readonly id: number;
  readonly cookie: string;
  /** The ids of the tokens that the customer sees, the own one first. */
  readonly seen: readonly number[];
}

describe.each(isWhole ? engines : (['sqlite'] as const))('The pages of customers (%s)', (engine) => {
  let section: AccountPanel;
  const customers: Customer[] = [];
  const random = randomNumbers();
  const one = <T>(values: readonly T[]): T => values[random(values.length)]!;

  beforeAll(async () => {
    section = await startAccountPanel(engine);
    const { tokens } = section.panel.api;
    for (const id of ACCOUNTS) {
      const account = { id, username: `mark-${id}`, status: 'active', created_at: '2026-06-12 00:00:00' };
      await section.database.knex('accounts').insert(account);
      const cookie = customer(id, `mark-${id}`);
      const form = { name: `mark-${id}-script`, scope: ['domains.read'], addresses: '127.0.0.1' };
      const { text } = await section.send(NEW, NEW, form, { admin: cookie });
      const own = (await tokens.find(shownToken(text) ?? ''))!;
      await tokens.update(own.id, { note: `mark-admin-note-${id}` }, ADMIN);
      const request = { name: `mark-admin-${id}`, note: 'mark-admin', scopes: ['*'], accountId: id };
      const { record } = await tokens.create(request, ADMIN);
      customers.push({ id, cookie, seen: [own.id, record.id] });
    }
    await tokens.create({ name: 'mark-admin-several', scopes: ['*'], accountIds: [21, 22] }, ADMIN);
    await tokens.create({ name: 'mark-admin-all', scopes: ['*'] }, ADMIN);
  });

  /** Checks that an answer tells a customer nothing of others, and returns it without what differs each time. */
  const checked = ({ id }: Customer, { status, headers, text }: ShownPage) => {
    const whole = `${JSON.stringify([...headers])} ${text}`;
    const foreign = (whole.match(MARKS) ?? []).filter((mark) => !new RegExp(`^mark-${id}(?!\\d)`).test(mark));
    expect(foreign).toEqual([]);
    return { status, location: headers.get('Location'), text: text.replace(/\b\d+\b/g, '') };
  };

  /** Asks for two pages in random order, and returns their answers with how long each took. */
  const pairOf = async (visitor: Customer, ...paths: readonly [string, string]) => {
    const ask = async (path: string) => {
      const start = performance.now();
      const page = await section.get(path, { admin: visitor.cookie });
      return { ms: performance.now() - start, answer: checked(visitor, page) };
    };
    const isTurned = random(2) === 1;
    const first = await ask(paths[isTurned ? 1 : 0]);
    const second = await ask(paths[isTurned ? 0 : 1]);
    return isTurned ? ([second, first] as const) : ([first, second] as const);
  };

  const stored = async () => {
    const without = (token: TokenRecord) => ({ ...token, readAt: 0, lastUsedAt: 0 });
    return [(await section.panel.api.tokens.list()).map(without), await section.panel.api.audit.list()];
  };

  test('tell nothing of another account, whatever id is in an address or a form', async () => {
    printSeed();
    const before = await stored();
    const ids = customers.flatMap(({ seen }) => seen);
    const forged = ['0', '99999', '2147483647', '99999999999', '1e0', '01', 'x', '%00', '1%2f..'];
    const slower = { pairs: 0, foreign: 0 };
    const counts = { own: 0, foreign: 0, unknown: 0, forms: 0, lists: 0 };
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      const visitor = one(customers);
      const admin = visitor.cookie;
      const turn = random(10);
      const action = one(ACTIONS);
      if (turn === 0) {
        counts.lists += 1;
        const shown = checked(visitor, await section.get(one(['tokens', NEW, '']), { admin }));
        expect([200, 303]).toContain(shown.status);
      } else if (turn < 3) {
        // The form of the own token, sent with the id of another one in its address and its fields.
        counts.forms += 1;
        const [own = 0] = visitor.seen;
        const change = one(['extend', 'rotate', 'revoke']);
        const form = formFields(
          (await section.get(`tokens/${own}/${change}`, { admin })).text,
          `tokens/${own}/${change}`,
        );
        const other = one(ids.filter((id) => id !== own));
        const fields = { ...Object.fromEntries(form), id: String(other), account_id: String(one(ACCOUNTS)) };
        const answer = await section.send('tokens', `tokens/${other}/${change}`, fields, { admin });
        expect([change, checked(visitor, answer).status]).toEqual([change, 403]);
      } else if (turn < 4) {
        // The form of another customer.
        counts.forms += 1;
        const other = one(customers.filter((someone) => someone !== visitor));
        const [target = 0] = other.seen;
        const path = one([NEW, `tokens/${target}/revoke`, `tokens/${target}/rotate`]);
        const form = hiddenFields((await section.get(path, { admin: other.cookie })).text, path);
        const answer = await section.send('tokens', path, Object.fromEntries(form), { admin });
        expect([path, checked(visitor, answer).status]).toEqual([path, 403]);
      } else {
        const id = random(3) === 0 ? one(forged) : String(one(ids));
        const isSeen = visitor.seen.some((seen) => String(seen) === id);
        const kind = isSeen ? 'own' : ids.some((known) => String(known) === id) ? 'foreign' : 'unknown';
        counts[kind] += 1;
        const [asked, unknown] = await pairOf(visitor, `tokens/${id}${action}`, `tokens/99998${action}`);
        if (kind === 'foreign') {
          slower.pairs += 1;
          if (asked.ms > unknown.ms) slower.foreign += 1;
        }
        const shown = asked.answer;
        if (isSeen) expect([200, 303, 404]).toContain(shown.status);
        // An address that is no page of the section at all is the panel's.
        else if (shown.text.includes('<html'))
          expect([id, action, shown]).toEqual([id, action, unknown.answer]);
        else expect([id, action, shown.status]).toEqual([id, action, 404]);
      }
    }
    expect(await stored()).toEqual(before);
    for (const [kind, count] of Object.entries(counts))
      figure(`${engine}: ${kind} asked of the pages`, count);
    const share = slower.foreign / slower.pairs;
    figure(
      `${engine}: how often another's token took longer than an unknown id (%)`,
      (100 * share).toFixed(1),
    );
    // An answer that takes longer in itself takes longer nearly always.
    if (isWhole) expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
  });
});
