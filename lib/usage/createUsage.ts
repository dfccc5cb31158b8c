import type { Database } from '../database/Database';
import type { PanelLog } from '../log/PanelLog';
import type { Migrations } from '../migrations/Migrations';
import { Usage } from './Usage';
import { UsageCounter } from './UsageCounter';
import { UsageTable } from './UsageTable';
import { UsageWriter } from './UsageWriter';

interface UsageParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly log: PanelLog;
  readonly table: string;
  readonly keepDays: number;
}

/** The counts of one mount, which it shares with no other. */
export function createUsage({ database, migrations, log, table, keepDays }: UsageParts): Usage {
  const counter = new UsageCounter();
  const counts = new UsageTable(database, migrations, table);
  const writer = new UsageWriter({ counter, table: counts, log, keepDays });
  return new Usage(counter, writer, counts);
}
