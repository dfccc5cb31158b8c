import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import { startServer } from '../../fixture/clientServer';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { runCommand } from '../../runCommand';
import { ScratchDirectory } from '../../ScratchDirectory';
import { builtCommand } from '../../servers/builtCommand';
import { figure } from '../figure';
import { scaled } from '../scale';

const ROWS = scaled({ fast: 20_000, full: 1_000_000, long: 1_000_000 });
const MOST_MB = 150;
const CLIENT = join(dirname(builtCommand()), '../client');

/** Answers with so many domains, each of them changed since the last version of the list. */
const longList =
  (version: number): RequestListener =>
  async (_request, response) => {
    response.write('{"success":true,"message":"Domains loaded.","data":{"resource":"domains","items":[');
    for (let id = 1; id <= ROWS; ) {
      const items: string[] = [];
      for (const end = Math.min(id + 499, ROWS); id <= end; id += 1)
        items.push((id > 1 ? ',' : '') + row(id, version));
      if (!response.write(items.join(''))) await once(response, 'drain');
    }
    response.end(']},"timestamp":"2026-06-12T00:00:00+00:00"}');
  };

function row(id: number, version: number): string {
  const domain = `customer-${id}-${version}.example`;
  return JSON.stringify({
    id,
    domain,
    type: 'primary',
    ssl_status: 'active',
    status: 'active',
    account_id: id % 1000,
    created_at: '2026-06-12T00:00:00+00:00',
    updated_at: '2026-06-12T00:00:00+00:00',
  });
}

/**
 * Prints the most memory that the process has had, in kilobytes, behind what the run has done. `maxRSS` would be that of
 * this process if it is larger: a child begins with it.
 */
const PRINT = `
  const [, kilobytes] = /^VmHWM:\\s+(\\d+) kB$/m.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'));
  console.log(JSON.stringify([done, Number(kilobytes)]));`;

const program = (url: string, path: string) => `
  const { createClient } = require(${JSON.stringify(CLIENT)});
  const { FileStore } = require(${JSON.stringify(join(CLIENT, 'FileStore'))});
  const client = createClient({ baseUrl: ${JSON.stringify(url)}, token: 'x' });
  client.sync('domains', new FileStore(${JSON.stringify(path)})).then((done) => {${PRINT}});
`;

async function run(
  text: string,
): Promise<readonly [done: Record<string, unknown> | null, megabytes: number]> {
  const [done, kilobytes] = JSON.parse(await runCommand(process.execPath, ['--eval', text]));
  return [done, kilobytes / 1024];
}

test(`A copy of ${ROWS.toLocaleString('en')} rows in a file needs little memory, whether all rows are new, the same or changed`, async () => {
  const directory = new ScratchDirectory('copies', { onDisk: true });
  closeAtEnd(() => directory.remove());
  const path = join(directory.path, 'domains.copy');
  const server = await startServer(longList(1), longList(1), longList(2));
  const [, empty] = await run(`const done = null; ${PRINT}`);
  for (const kind of ['created', 'unchanged', 'changed']) {
    const [done, most] = await run(program(server.url, path));
    expect([kind, done?.[kind], done?.complete]).toEqual([kind, ROWS, true]);
    figure(`${kind}: megabytes above an empty process`, Math.round(most - empty));
    expect(Math.max(0, most - empty - MOST_MB)).toBe(0);
  }
});
