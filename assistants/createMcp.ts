import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { isHost, isOwnOrigin } from '../lib/addresses/requestOrigin';
import { ApiError } from '../lib/errors/ApiError';
import type { PlainText } from '../middleware/answerInEnvelope';
import type { OtherMounts } from '../middleware/hosts';
import { mountForPrograms, mountOptionsValidator } from '../middleware/mountForPrograms';
import type { PanelApi } from '../middleware/PanelApi';
import { answerMessage } from './protocol';
import { readMessage, refusal } from './readMessage';

/** The options of `createMcp`. Only `api` is required. */
export interface McpOptions {
  /** The API that assistants read: the return value of createPanelApi. */
  readonly api: PanelApi;
  /** The path of the MCP server. It may not be `/api/v1` or below it. Default: `/mcp`. */
  readonly path?: string;
  /** The host names of the MCP server, such as `['panel.example']`: it refuses requests to others. Default: all. */
  readonly hosts?: readonly string[];
}

/** The router of the mounted MCP server. */
export type Mcp = Router & OtherMounts;

/** Whether it is a host name as browsers write it. */
const isHostName = (name: unknown) =>
  typeof name === 'string' &&
  isHost(name) &&
  URL.canParse(`http://${name}`) &&
  new URL(`http://${name}`).hostname === name;

const hosts = {
  holds: (names: unknown) => Array.isArray(names) && names.length > 0 && names.every(isHostName),
  expects: 'must be host names in lower case without a port, such as panel.example',
};

type Checked = McpOptions & { readonly path: string };

const validatePlain = mountOptionsValidator<McpOptions, Checked>('createMcp', '/mcp', { hosts });

/**
 * Creates the MCP server: one path at which assistants read the panel by the Model Context Protocol, with tokens of the
 * API. Mount it with `app.use(createMcp({ api }).routes())`. It is off until `assistants_enabled` is switched on. All
 * other requests go on to the panel. Throws a TypeError that names a missing, unknown or wrong option, and an Error if the
 * package `@modelcontextprotocol/server` is not installed.
 */
export function createMcp(options: McpOptions): Mcp {
  const { api, path, hosts } = validatePlain(options);
  const peer = locatePeer();
  // Some clients end every path with a slash.
  const mount = { api, name: 'mcp', path, end: '{/}' };
  return mountForPrograms(mount, async (ctx, admit) => {
    // No token is looked up while the server is off, as while the API is off.
    if (!(await api.settings.get('assistantsEnabled')))
      throw Object.assign(new ApiError('api_disabled'), { message: OFF });
    const refused = refusedRequest(ctx, hosts);
    if (refused) return refused;
    const reader = await admit();
    const read = await readMessage(ctx);
    return 'text' in read ? read : answerMessage(read.message, ctx, reader, peer);
  });
}

const OFF = 'The MCP server is switched off on this panel.';

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

/** Refuses a request with another method, for another host, or of another site's page, before its token is looked up. */
function refusedRequest(ctx: Context, hosts: readonly string[] | undefined): PlainText | null {
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    return refusal(405, 'Send messages with POST. There are no sessions, and no stream to open.');
  }
  // The pages of a site whose name leads to this server have an origin that equals the host.
  if (hosts?.includes(ctx.hostname.toLowerCase()) === false)
    return refusal(403, 'This MCP server does not answer under this host name.');
  if (ctx.get('Origin') !== '' && !isOwnOrigin(ctx))
    return refusal(403, 'Pages of other sites may not use this MCP server.');
  return null;
}
