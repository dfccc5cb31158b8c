import { Readable } from 'node:stream';
import { searchAccounts } from '../accounts';
import type { PageHandler } from '../Page';

/** The accounts that a search finds, for the script that suggests them while a name is typed. */
export const accountsFound: PageHandler = async ({ installation, query }) => {
  const found = (await searchAccounts(installation, (query.get('search') ?? '').trim())) ?? [];
  return {
    type: 'application/json; charset=utf-8',
    body: Readable.from([JSON.stringify(found)]),
    fileName: 'accounts.json',
  };
};
