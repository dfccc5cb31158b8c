import { knex as connect } from 'knex';
import { Database } from '../../lib/database/Database';
import { Migrations } from '../../lib/database/migrations/Migrations';
import { tableNames } from '../../lib/database/migrations/tables';

const CHANGE = /^(create|alter|rename|insert)\b/i;

/** Brings the module's tables, and dies without a last word when the n-th statement that changes anything is done. */
async function main(): Promise<void> {
  const db = connect(JSON.parse(process.env.HOST_SETTINGS ?? '').knex);
  let left = Number(process.env.CHANGES_TO_LIVE);
  db.on('query-response', (_response: unknown, { sql }: { sql: string }) => {
    if (CHANGE.test(sql)) left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  });
  await new Migrations(new Database(db, 5000), tableNames('panel_api_'), true).ready();
  await db.destroy();
}

void main();
