import { serverHealth } from '../routes/server-health';
import { gauge, type Sample } from './exposition';
import type { Reading } from './Reading';

/** The endpoint whose scope and account decide who sees what concerns the whole server. */
const SERVER = serverHealth.name;

/** A metric of the server: its name, its field, and the member of the field. */
const FIGURES = [
  ['server_load1', 'load', 'one'],
  ['server_load5', 'load', 'five'],
  ['server_load15', 'load', 'fifteen'],
  ['server_cpu_cores', 'cpu', 'cores'],
  ['server_memory_total_bytes', 'memory', 'total_bytes'],
  ['server_memory_available_bytes', 'memory', 'available_bytes'],
  ['server_swap_total_bytes', 'swap', 'total_bytes'],
  ['server_swap_free_bytes', 'swap', 'free_bytes'],
  ['server_disk_total_bytes', 'disks', 'total_bytes'],
  ['server_disk_used_bytes', 'disks', 'used_bytes'],
  ['server_disk_free_bytes', 'disks', 'free_bytes'],
] as const;

type Members = { readonly properties: Readonly<Record<string, { readonly description?: string }>> };

type Figures = { readonly mount?: string } & Readonly<Record<string, Sample<number | null>['value']>>;

const server: Reading = {
  name: SERVER,
  endpoint: SERVER,
  async read({ reader }) {
    const health = await reader.object(serverHealth);
    return FIGURES.map(([name, field, member]) => {
      const { schema } = serverHealth.fields[field];
      const { properties } = (schema.items ?? schema) as Members;
      const parts = [health[field] ?? []].flat() as readonly Figures[];
      return gauge(
        name,
        String(properties[member]?.description),
        parts.map(({ mount, [member]: value }) => ({ value, labels: mount === undefined ? {} : { mount } })),
      );
    });
  },
};

const tokens: Reading = {
  name: 'tokens',
  endpoint: SERVER,
  async read({ api }) {
    const { expiring, silent } = await api.tokens.countFilters();
    const ends = 'Tokens that expire within 14 days, live more than 28, and were not replaced by another.';
    const stopped = 'Tokens that were used regularly, and have been unused for longer than usual.';
    return [
      gauge('tokens_expiring', ends, [{ value: expiring }]),
      gauge('tokens_silent', stopped, [{ value: silent }]),
    ];
  },
};

const usage: Reading = {
  name: 'usage',
  endpoint: SERVER,
  async read({ api, reader }) {
    const today = new Date(reader.token.readAt * 1000).toISOString().slice(0, 10);
    const rows = (await api.usage.ofAll()).filter(({ day }) => day === today);
    const samples = rows.map(({ endpoint, statusClass, requests }) => ({
      labels: { endpoint, class: statusClass === 0 ? 'aborted' : `${statusClass}xx` },
      value: requests,
    }));
    const help = 'Requests of the API, of all tokens, since the day began (UTC).';
    return [{ name: 'api_requests', type: 'counter', help, samples }];
  },
};

/** The readings of what concerns the whole server. */
export const platformReadings: readonly Reading[] = [server, tokens, usage];
