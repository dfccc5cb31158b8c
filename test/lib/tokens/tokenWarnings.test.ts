import type { TokenRecord } from '../../../index';
import { tokenRecord } from '../../../lib/tokens/tokenRows';
import {
  isExpiring,
  isUnused,
  leftOver,
  tokenWarnings,
  widenedRights,
} from '../../../lib/tokens/tokenWarnings';

const DAY = 86_400;
const NOW = 1_700_000_000;

const TOKEN: TokenRecord = tokenRecord({
  id: 1,
  name: 'billing',
  note: null,
  prefix: 'pnl_abcdef',
  scopes: 'domains.read accounts.read',
  accounts: null,
  addresses: null,
  limit: null,
  lineage: null,
  rotated: null,
  created: NOW - 30 * DAY,
  creator: 'tester',
  expiry: NOW + 100 * DAY,
  used: null,
  client: null,
  revoked: null,
  revoker: null,
  origin: null,
  version: 1,
  clock: NOW,
});

describe('The warnings about a token', () => {
  test.each([
    ['none about one with little', {}, []],
    ['expiring within 14 days', { expiresAt: NOW + 14 * DAY }, ['expiring']],
    ['no expiring after them', { expiresAt: NOW + 14 * DAY + 1 }, []],
    ['no expiring of one that lives for 28 days', { createdAt: NOW - 27 * DAY, expiresAt: NOW + DAY }, []],
    [
      'expiring of one that lives longer',
      { createdAt: NOW - 27 * DAY - 1, expiresAt: NOW + DAY },
      ['expiring'],
    ],
    ['no expiring of a rotated one', { expiresAt: NOW + DAY, rotatedAt: NOW }, []],
    ['everlasting', { expiresAt: null }, ['everlasting']],
    ['wildcard', { scopes: ['*'] }, ['wildcard']],
    ['unused since its creation', { createdAt: NOW - 90 * DAY - 1 }, ['unused']],
    ['unused since its last use', { lastUsedAt: NOW - 90 * DAY - 1 }, ['unused']],
    ['no unused before', { createdAt: NOW - 100 * DAY, lastUsedAt: NOW - 90 * DAY }, []],
    ['none about one that has ended', { state: 'expired', scopes: ['*'], expiresAt: NOW - 1 }, []],
    ['all', { scopes: ['*'], expiresAt: null, lastUsedAt: 0 }, ['everlasting', 'wildcard', 'unused']],
  ] as const)('are %s', (_what, values, warnings) => {
    expect(tokenWarnings({ ...TOKEN, ...values })).toEqual(warnings);
  });
});

describe.each(['expired', 'revoked'] as const)('A token that is %s', (state) => {
  test('neither expires soon nor is unused', () => {
    const token = { ...TOKEN, state, createdAt: NOW - 100 * DAY, expiresAt: NOW };
    expect([isExpiring(token, DAY), isUnused(token, DAY)]).toEqual([false, false]);
  });
});

describe('The last active token of a line of rotations', () => {
  const rotated = (id: number, values: Partial<TokenRecord> = {}) => ({
    ...TOKEN,
    id,
    rotatedAt: NOW,
    ...values,
  });
  const REVOKED = { ...TOKEN, id: 9, state: 'revoked' } as const;

  test.each([
    ['is the newest one if the token that replaces it is revoked', [REVOKED, rotated(2), rotated(1)], [], 2],
    ['is left over if that token is about to be revoked', [{ ...TOKEN, id: 2 }, rotated(1)], [2], 1],
    ['is none if a token replaces it', [{ ...TOKEN, id: 2 }, rotated(1)], [], null],
    [
      'is none if a token replaces it that has expired',
      [{ ...TOKEN, id: 2, state: 'expired' }, rotated(1)],
      [],
      null,
    ],
    ['is none that has ended', [REVOKED, rotated(2, { state: 'expired' }), rotated(1)], [], 1],
    ['is none that never expires', [REVOKED, rotated(2, { expiresAt: null })], [], null],
    ['is none that is about to be revoked', [REVOKED, rotated(2)], [2], null],
  ] as const)('%s', (_what, lineage, revoked, left) => {
    expect(leftOver(lineage, revoked)?.id ?? null).toBe(left);
  });
});

const SEVEN = { id: '7', createdAt: null, username: 'anna' };

describe('The rights that a change makes wider', () => {
  const NARROW = {
    ...TOKEN,
    accounts: [SEVEN],
    allowedAddresses: ['192.0.2.0/24', '2001:db8::1'],
    rateLimit: 100,
  };

  const ACCOUNT = ['account_id', 'accounts', 'owner'] as const;

  test.each([
    ['another scope', { scopes: ['domains.read', 'email.read'] }, ['scopes']],
    ['every scope', { scopes: ['*'] }, ['scopes']],
    ['all accounts', { accounts: [] }, ACCOUNT],
    ['another account', { accounts: [{ ...SEVEN, id: '8' }] }, ACCOUNT],
    ['another account with this id', { accounts: [{ ...SEVEN, username: 'bert' }] }, ACCOUNT],
    ['a further account', { accounts: [SEVEN, { ...SEVEN, id: '8' }] }, ACCOUNT],
    ['the accounts that the account owns', { owner: true }, ACCOUNT],
    ['any address', { allowedAddresses: [] }, ['allowed_addresses']],
    ['another address', { allowedAddresses: ['192.0.2.0/24', '192.0.3.1'] }, ['allowed_addresses']],
    ['a larger network', { allowedAddresses: ['192.0.0.0/16'] }, ['allowed_addresses']],
    ['the network of an address', { allowedAddresses: ['2001:db8::/64'] }, ['allowed_addresses']],
    ['a network of the other family', { allowedAddresses: ['::/24'] }, ['allowed_addresses']],
    ['a higher limit', { rateLimit: 101 }, ['rate_limit']],
    ['a later expiry', { expiresAt: NOW + 101 * DAY }, ['expires_at']],
    ['no expiry', { expiresAt: null }, ['expires_at']],
    ['several', { scopes: ['*'], accounts: [], expiresAt: null }, ['scopes', ...ACCOUNT, 'expires_at']],
  ] as const)('include %s', (_what, values, rights) => {
    expect(widenedRights(NARROW, { ...NARROW, ...values })).toEqual(rights);
  });

  test.each([
    ['nothing', {}],
    ['fewer scopes', { scopes: ['domains.read'] }],
    ['addresses of a network', { allowedAddresses: ['192.0.2.7', '192.0.2.128/25'] }],
    ['a lower limit', { rateLimit: 99 }],
    ['an earlier expiry', { expiresAt: NOW + DAY }],
    ['another name and note', { name: 'x', note: 'y' }],
  ] as const)('do not include %s', (_what, values) => {
    expect(widenedRights(NARROW, { ...NARROW, ...values })).toEqual([]);
  });

  test('are none if a token with all of them loses some', () => {
    const wide = { ...TOKEN, scopes: ['*'], expiresAt: null };
    expect(widenedRights(wide, { ...NARROW, rateLimit: null })).toEqual([]);
  });

  test('compare a limit with the general one, and count it as wider if that is unknown', () => {
    const general = { ...TOKEN, rateLimit: null };
    expect(widenedRights(general, { ...general, rateLimit: 120 }, 120)).toEqual([]);
    expect(widenedRights(general, { ...general, rateLimit: 121 }, 120)).toEqual(['rate_limit']);
    expect(widenedRights({ ...general, rateLimit: 60 }, general, 120)).toEqual(['rate_limit']);
    expect(widenedRights(general, { ...general, rateLimit: 1 })).toEqual(['rate_limit']);
  });
});
