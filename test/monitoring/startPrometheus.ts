import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { monitoringText } from '../fixture/monitoringFiles';
import type { PrivateServer } from '../servers/PrivateServer';
import { requireProgram } from '../servers/requireProgram';

const servers = require('../servers/PrivateServer') as { PrivateServer: typeof PrivateServer };
const { freePort } = require('../servers/freePort') as { freePort(): Promise<number> };
const { ScratchDirectory } = require('../ScratchDirectory') as {
  ScratchDirectory: new (name: string) => { readonly path: string; remove(): Promise<void> };
};

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A panel that Prometheus scrapes, and the token in the file. */
interface Target {
  readonly url: string;
  readonly token: string;
}

/**
 * Starts Prometheus with docs/monitoring/prometheus.yml: each target has the address, a file with the token, HTTP and an
 * interval of a second instead of those of the file. Returns a function that evaluates an expression.
 */
export async function startPrometheus(
  targets: readonly Target[],
): Promise<(expression: string) => Promise<readonly Series[]>> {
  const directory = new ScratchDirectory('prometheus');
  const at = (name: string) => join(directory.path, name);
  const [head = '', scrape = ''] = monitoringText('prometheus.yml').split('scrape_configs:\n');
  const scrapes = targets.map(({ url, token }, index) => {
    writeFileSync(at(`token${index}`), `${token}\n`, { mode: 0o600 });
    return replaced(scrape, [
      ['job_name: panel', `job_name: panel${index}`],
      ['/etc/prometheus/panel.token', at(`token${index}`)],
      ['scheme: https', 'scheme: http'],
      ['scrape_interval: 1m', 'scrape_interval: 1s'],
      ['panel.example', url.replace('http://', '')],
      // Job names must differ, and the rules know one.
      [/$/, '    relabel_configs: [{ target_label: job, replacement: panel }]\n'],
    ]);
  });
  writeFileSync(at('prometheus.yml'), `${head}scrape_configs:\n${scrapes.join('')}`);
  writeFileSync(at('rules.yml'), monitoringText('rules.yml'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = new servers.PrivateServer({
    directory: directory as never,
    program: requireProgram('prometheus', 'prometheus'),
    args: [
      `--config.file=${at('prometheus.yml')}`,
      `--storage.tsdb.path=${at('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    stopSignal: 'SIGTERM',
    url,
    port,
    socket: at('socket'),
    ready: async () => {
      if (!(await fetch(`${url}/-/ready`)).ok) throw new Error('Prometheus is not ready.');
    },
  });
  closeAtEnd(() => server.stop());
  await server.start();
  return async (query) => {
    const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`);
    const answer = (await response.json()) as { error?: string; data?: { result: Series[] } };
    if (!answer.data) throw new Error(`${query}: ${answer.error}`);
    return answer.data.result;
  };
}

/** Replaces each text, which must be there. */
function replaced(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`The scrape configuration lacks ${from}.`);
    return next;
  }, text);
}
