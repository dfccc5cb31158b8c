import { setTimeout as sleep } from 'node:timers/promises';
import { createDomains } from '../../fixture/createDomains';
import type { TestDatabase } from '../../fixture/databases';
import { type HostCircumstances, startHost } from '../../fixture/processes/hostProcess';
import { until } from '../../fixture/until';
import { DEADLINE_MS, DOMAINS, type Site } from './outage';

const OPENAPI = '/api/v1/openapi.php';
const OPTIONS = {
  deadlineMs: DEADLINE_MS,
  httpsRequired: false,
  rateLimit: { requests: 1_000_000, windowSeconds: 3600 },
};

interface SiteCircumstances extends HostCircumstances {
  /** The URL at which the panel reaches its database. By default that of the database. */
  readonly url?: string;
  /** What no answer and no line of the log may contain, by name. */
  readonly passwords?: Readonly<Record<string, string>>;
}

/** Starts a panel over a database, and waits until it serves requests. */
export async function site(
  database: TestDatabase,
  { url = database.url, passwords = {}, ...circumstances }: SiteCircumstances = {},
): Promise<Site> {
  await createDomains(database.knex, DOMAINS);
  const host = await startHost({ ...database, url }, { options: OPTIONS, ...circumstances });
  const { token } = await host.create();
  // A client of Redis connects after the process has started.
  let answer = await host.get(OPENAPI, token);
  for (; answer.status !== 200; answer = await host.get(OPENAPI, token)) await sleep(20);
  const lastId = answer.headers.get('x-request-id')!;
  const isLogged = circumstances.loggerCode === undefined;
  await until(() => !isLogged || host.printed().includes(lastId));
  const { document } = answer.body.data;
  const secrets = Object.entries(passwords).map(([name, text]) => [name, Buffer.from(text)] as const);
  return { host, token, document, passwords: Object.fromEntries(secrets), isLogged };
}
