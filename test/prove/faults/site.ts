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

/** Starts a panel over a database, which it reaches at `url`, and waits until it serves requests. */
export async function site(
  database: TestDatabase,
  url = database.url,
  passwords: Readonly<Record<string, string>> = {},
  circumstances: HostCircumstances = {},
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
  return {
    host,
    token,
    document,
    passwords: Object.fromEntries(secrets),
    isLogged,
  };
}
