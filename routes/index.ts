import type { AnyOperation } from '../lib/operations/Operation';
import { accounts } from './accounts';
import { backups } from './backups';
import { cron } from './cron';
import { databases } from './databases';
import { domains } from './domains';
import { email } from './email';
import { health } from './health';
import { jobs } from './jobs';
import { me } from './me';
import { openapi } from './openapi';
import { releaseAudit } from './release-audit';
import { serverHealth } from './server-health';
import { services } from './services';
import { settings } from './settings';
import { ssl } from './ssl';
import { websites } from './websites';

/** Every endpoint, in the order of the documentation. A new one is a file beside this one and a line here. */
export const operations = [
  me,
  accounts,
  domains,
  websites,
  email,
  databases,
  ssl,
  backups,
  jobs,
  cron,
  services,
  settings,
  health,
  serverHealth,
  openapi,
  releaseAudit,
] as const satisfies readonly AnyOperation[];
