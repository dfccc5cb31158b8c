import { type Author, InvalidInput } from '../../../index';
import { asCustomer, REQUEST, startCustomers } from '../../fixture/customers';
import { describeOneEngine } from '../../fixture/databases';

const ACCOUNT = { actor: 'user1', origin: 'account-section', accountId: 1 } as const;

/** Authors that are refused, and the input that the error names. */
const WRONG: readonly (readonly [what: string, author: object, input: string])[] = [
  ['without an account', { actor: 'user1', origin: 'account-section' }, 'accountId'],
  ['with an account that is undefined', { ...ACCOUNT, accountId: undefined }, 'accountId'],
  ['with an account that is null', { ...ACCOUNT, accountId: null }, 'accountId'],
  ['with an account that is no key', { ...ACCOUNT, accountId: ' 1' }, 'accountId'],
  ['with an administrator without a name', { ...ACCOUNT, by: '' }, 'by'],
  ['with an administrator of 129 characters', { ...ACCOUNT, by: 'x'.repeat(129) }, 'by'],
  ['of another origin with an account', { ...ACCOUNT, origin: 'panel' }, 'request'],
  ['of another origin with an administrator', { actor: 'x', origin: 'panel', by: 'anna' }, 'request'],
  ['of an unknown origin', { ...ACCOUNT, origin: 'customer' }, 'origin'],
  ['without a name', { ...ACCOUNT, actor: ' ' }, 'actor'],
];

describeOneEngine('An author', (engine) => {
  test.each(WRONG)('%s is refused, and nothing is written', async (_what, author, input) => {
    const { account, tokens } = await startCustomers(engine);
    await account();
    const attempts = [
      tokens.create(REQUEST, author as Author),
      tokens.update(1, { name: 'x' }, author as Author),
      tokens.extend(1, { expiresAt: null }, author as Author),
      tokens.rotate(1, { graceSeconds: 300 }, author as Author),
      tokens.revoke(1, author as Author),
    ];
    for (const error of await Promise.all(attempts.map((attempt) => attempt.catch((reason) => reason))))
      expect([error, error?.input]).toEqual([expect.any(InvalidInput), input]);
    expect(await tokens.list()).toEqual([]);
  });

  test('may have the id of the account as a text, a number or a bigint', async () => {
    const { account, tokens } = await startCustomers(engine);
    const id = await account();
    for (const accountId of [id, Number(id), BigInt(id)])
      expect((await tokens.create(REQUEST, asCustomer(accountId))).record.accountId).toBe(id);
  });
});
