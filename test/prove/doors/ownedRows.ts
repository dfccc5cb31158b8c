import type { TokenRequest } from '../../../index';
import type { Operation } from '../../../lib/fields/Operation';
import type { GivenRow } from '../input/listRows';
import { NOW } from '../input/stoppedClock';
import { isWhole } from '../scale';

/** Ids of accounts: JavaScript takes some of the numbers for others, and a collation some of the texts. */
export const IDS = {
  numbers: ['1', '2', '9007199254740992', '9007199254740993', '8', '12', '21', '-1'],
  texts: ['kim', 'Kim', 'kím', 'KIM', 'none', 'kim ', 'ﬁn', 'fin'],
} as const;

/** A token, with the numbers of the accounts whose rows it may read; null for all. */
export type Bearer = Pick<TokenRequest, 'owner' | 'scopes'> & { readonly accounts: readonly number[] | null };

/** The number of the account that has no rows in other lists, and the number that stands for no account. */
const [WITHOUT_ROWS, NO_ACCOUNT] = [4, 8];
/** The number of the owner of each account. */
const OWNERS = [NO_ACCOUNT, 0, NO_ACCOUNT, 0, NO_ACCOUNT, 1, 2, 3];
const SOME = ['domains.read', 'backups.read', 'jobs.read', 'ssl.read'];

export const EVERYTHING: Bearer = { accounts: null, scopes: ['*'] };
const some: readonly Bearer[] = [
  { accounts: [0], scopes: SOME },
  { accounts: [0, 1, 3], scopes: ['*'], owner: true },
  ...[[0], [0, 2, 7], [2], [3]].map((accounts) => ({ accounts, scopes: ['*'] })),
];
const others: readonly Bearer[] = [
  { accounts: null, scopes: [...SOME, 'platform.read'] },
  { accounts: [3, 7], scopes: ['*'], owner: true },
  ...[[1], [WITHOUT_ROWS]].map((accounts) => ({ accounts, scopes: ['*'] })),
];
export const BEARERS = [EVERYTHING, ...some, ...(isWhole ? others : [])];

const markOf = (account: number) => `~of${account}~`;

/** The marks in a text that a bearer must not see. */
export function foreignMarks(text: string, { accounts }: Bearer): readonly string[] {
  const own = accounts?.map(markOf);
  return (text.match(/~of\d~/g) ?? []).filter((mark) => own && !own.includes(mark));
}

/** Gives generated rows to the accounts in turn. Each text of a row has the mark of its account. */
export function ownedRows({ name, fields }: Operation, rows: readonly GivenRow[], ids: readonly string[]) {
  const isAccounts = name === 'accounts';
  return (isAccounts ? rows.slice(0, ids.length) : rows).map((row, index): GivenRow => {
    const turn = index % (NO_ACCOUNT + 1);
    const account = turn === WITHOUT_ROWS && !isAccounts ? NO_ACCOUNT : turn;
    // Different for each row.
    const number = ((index * 37) % 97) + 1;
    const cellOf = (column: string, value: GivenRow[string]): GivenRow[string] => {
      const { kind, words = [] } = fields[column]!;
      // Times of a panel that runs.
      const isRun = /^(?:finished|started|queued|last_run)_at$/.test(column);
      const days = isRun ? -number / 6 : column === 'created_at' ? -number : number - 48;
      if (isRun || /^created_at$|expires_at$/.test(column))
        return new Date(NOW + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
      // Certificates of several accounts are for the same name.
      if (column === 'common_name' && index % 5 === 0) return 'shared.example';
      // An overview shows 20 words.
      if (words.length > 0 && index % 4 === 0) return `active${markOf(account)}`;
      if (words.length > 0) return words[(index + account) % words.length]!;
      return ['text', 'word', 'any', 'list'].includes(kind) ? `${value}${markOf(account)}` : value;
    };
    const cells = Object.entries(row).map(([column, value], place) => [
      column,
      place === 0 || value === null ? value : cellOf(column, value),
    ]);
    const [id = null, owner_id = null] = [account, OWNERS[account]!].map((one) => ids.at(one));
    const itself = { id, owner_id, username: `user${markOf(account)}`, status: 'active' };
    return {
      ...Object.fromEntries(cells),
      ...(isAccounts ? itself : 'account_id' in row && { account_id: id }),
    };
  });
}
