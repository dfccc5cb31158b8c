import { createDomains } from '../fixture/createDomains';
import type { TestDatabase } from '../fixture/databases';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { NO_LIMIT } from './promises';
import type { Replication } from './servers/Replication';

/** Two processes of a panel on a primary, with their lists on a replica. */
export interface ReplicatedPanel {
  readonly hosts: readonly HostProcess[];
  /** A token without a limit. */
  readonly token: string;
  /** Changes the status of every domain on the primary. */
  setStatus(status: string): Promise<unknown>;
  /** The status of the first domain as the API lists it. */
  listed(): Promise<string>;
}

export const LIST = '/api/v1/domains.php';

/** Starts them, with this number of domains on both servers. */
export async function startReplicatedPanel(
  { primary, replica }: Replication,
  domains: number,
): Promise<ReplicatedPanel> {
  await createDomains(primary.database.knex, domains);
  await untilReplicated(replica.database, domains);
  const options = { rateLimit: NO_LIMIT };
  const start = () => startHost(primary.database, { options, readUrl: replica.database.url });
  const hosts = [await start(), await start()];
  const { token } = await hosts[0]!.create();
  return {
    hosts,
    token,
    setStatus: (status) => primary.database.knex('domains').update({ status }),
    async listed() {
      const { body } = await hosts[1]!.get(`${LIST}?limit=1`, token);
      return body.data.items[0].status;
    },
  };
}

/** Waits until the table of domains has this number of rows. */
export async function untilReplicated({ knex }: TestDatabase, domains: number): Promise<void> {
  await until(async () => {
    const ids = await knex('domains')
      .pluck('id')
      .catch(() => []);
    return ids.length === domains;
  });
}
