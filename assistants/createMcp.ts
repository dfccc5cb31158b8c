import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { isHost, isOwnOrigin } from '../lib/addresses/requestOrigin';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import { plainOptionsCheck } from '../lib/options/checkOptions';
import type { ApiRequest } from '../lib/requests/ApiRequest';
import { admitRequest } from '../lib/requests/answerRequest';
import type { AnswerContent } from '../middleware/answerInEnvelope';
import { answering } from '../middleware/createRouter';
import { doorEndpoint, doorOptions, doorRouter } from '../middleware/doors';
import type { HandlerOptions, NodeHandler } from '../middleware/nodeHandler';
import { installationOf, type PanelApi } from '../middleware/PanelApi';
import { createPanelReader } from './PanelReader';
import { answerMessage } from './protocol';
import { readMessage, refusal } from './readMessage';

/** The options of `createMcp`. Only `api` is required. */
export interface McpOptions {
  /** The API that assistants read: the return value of createPanelApi. */
  readonly api: PanelApi;
  /** The path of the door. It may not be `/api/v1` or below it. Default: `/mcp`. */
  readonly path?: string;
  /** The host names of the door, such as `['panel.example']`: it refuses requests to others. Default: all. */
  readonly hosts?: readonly string[];
}

/** The router of the mounted door for assistants. */
export type Mcp = Router & {
  /** Returns a handler for panels that are not Koa, as that of the API. */
  readonly handler: (options?: HandlerOptions) => NodeHandler;
};

/** Whether it is a host name as browsers write it. */
const isHostName = (name: unknown) =>
  typeof name === 'string' &&
  isHost(name) &&
  URL.canParse(`http://${name}`) &&
  new URL(`http://${name}`).hostname === name;

const hostNames = {
  holds: (names: unknown) => Array.isArray(names) && names.length > 0 && names.every(isHostName),
  expects: 'must be host names in lower case without a port, such as panel.example',
};

const checkPlain = plainOptionsCheck<McpOptions, McpOptions & { readonly path: string }>('createMcp', {
  properties: { ...doorOptions('/mcp'), hosts: hostNames },
  required: ['api'],
});

/** How the log and the counts of use name the door. It is no endpoint that could be read. @internal */
export const DOOR = doorEndpoint('mcp', 'Assistants', '', async () => ({}));

/**
 * Creates the door for assistants: one path at which programs read the panel by the Model Context Protocol, with tokens
 * of the API. Mount it with `app.use(createMcp({ api }).routes())`. It is off until `assistants_enabled` is switched on.
 * All other requests go on to the panel. Throws a TypeError that names a missing, unknown or wrong option, and an Error
 * if the package `@modelcontextprotocol/server` is not installed.
 */
export function createMcp(options: McpOptions): Mcp {
  const { api, path, hosts } = checkPlain(options);
  const peer = locatePeer();
  const installation = installationOf(api) as Installation;
  installation.doors.set(DOOR.name, path);
  const serve = answering(installation)(DOOR, (asked, ctx) => answer(ctx, asked, installation, peer, hosts));
  // Some clients end every path with a slash.
  return doorRouter(path, installation.log, serve, '{/}');
}

const OFF = 'The door for assistants is switched off on this server.';

/** The package that speaks the protocol. It is an optional peer, and not within a bundle of the panel. */
const PEER = '@modelcontextprotocol/server';

/**
 * Finds the package beside this module, or beside the panel's program if this module is linked. Throws an Error that says
 * what to install.
 */
function locatePeer(): string {
  try {
    return require.resolve(PEER, { paths: [__dirname, dirname(process.argv[1] ?? '')] });
  } catch (cause) {
    throw new Error(`createMcp needs the package ${PEER}: npm install ${PEER}@2`, { cause });
  }
}

async function answer(
  ctx: Context,
  request: ApiRequest,
  installation: Installation,
  peer: string,
  hosts: readonly string[] | undefined,
): Promise<AnswerContent> {
  // No token is looked up while the door is off, as while the API is off.
  if (!(await installation.settings.get('assistantsEnabled')))
    throw Object.assign(new ApiError('api_disabled'), { message: OFF });
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    return refusal(405, 'Send messages with POST. There are no sessions, and no stream to open.');
  }
  // The pages of a site whose name leads to this server have an origin that equals the host.
  if (hosts?.includes(ctx.hostname.toLowerCase()) === false)
    return refusal(403, 'This door does not answer under this host name.');
  if (ctx.get('Origin') !== '' && !isOwnOrigin(ctx))
    return refusal(403, 'Pages of other sites may not use this door.');
  const limited = await admitRequest(request, installation);
  const read = await readMessage(ctx);
  if ('text' in read) return read;
  return answerMessage(read.message, ctx, createPanelReader(limited, installation), peer);
}
