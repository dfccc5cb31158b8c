import type { AddressInfo } from 'node:net';
import { knex as connect, type Knex } from 'knex';
import Koa from 'koa';
import { createPanelApi, type PanelApi, type PanelApiOptions } from '../../index';

/** What the process that starts the host tells it. */
export interface HostSettings {
  readonly knex: Knex.Config;
  readonly options: Omit<PanelApiOptions, 'db' | 'logger'>;
}

/** A call of a method of the panel's API from the process that started the host. */
export interface HostCall {
  readonly id: number;
  readonly part: 'tokens' | 'audit' | 'settings' | 'usage';
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface HostReply {
  readonly id: number;
  readonly result?: unknown;
  /** The name and message of what the method threw. */
  readonly error?: string;
}

const { knex, options }: HostSettings = JSON.parse(process.env.HOST_SETTINGS ?? '');
const db = connect(knex);
const log = (message: string, fields: object) => console.log(JSON.stringify({ message, ...fields }));
const api = createPanelApi({ enabled: true, ...options, db, logger: { info: log, warn: log, error: log } });
const app = new Koa();

app.use(api.routes());
app.use((ctx) => {
  ctx.body = 'the panel';
});

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
  // A connection that rests while the machine is busy must not be closed just when it is used again.
  server.keepAliveTimeout = 60_000;
});

process.on('message', (call: HostCall) => void reply(call));
process.on('disconnect', () => process.exit());

async function reply({ id, part, method, args }: HostCall): Promise<void> {
  const answer: HostReply = await run(api, part, method, args).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, error: String(error) }),
  );
  process.send?.(answer);
}

async function run(panelApi: PanelApi, part: HostCall['part'], method: string, args: readonly unknown[]) {
  const target = panelApi[part] as unknown as Record<string, (...given: unknown[]) => unknown>;
  return target[method]?.(...args);
}
