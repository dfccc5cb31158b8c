import type { Knex } from 'knex';

/** The requests that the table counts, of one token or of all. */
export async function writtenRequests(knex: Knex, tokenId?: number): Promise<number> {
  const [row] = await knex('panel_api_usage')
    .where(tokenId === undefined ? {} : { token_id: tokenId })
    .sum({ requests: 'requests' });
  return Number(row?.requests ?? 0);
}
