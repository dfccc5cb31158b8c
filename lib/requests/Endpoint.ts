import { sharedRuns } from '../async/sharedRuns';
import type { AnyOperation, ListOperation, Operation } from '../fields/Operation';
import { BufferedBody } from '../json/Body';
import { toJson } from '../json/json';
import type { RequestToken } from '../tokens/TokenRecord';

/** How much of its limit a token has used in the current window. */
export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly secondsLeft: number;
  /** When the window resets, in seconds since 1970. */
  readonly resetsAt: number;
}

/** An authenticated and counted request, as an operation sees it. */
export interface RequestContext {
  readonly token: RequestToken;
  readonly rateLimit: RateLimitState;
  readonly clientIp: string;
  readonly addressForgeable: boolean;
  /** Returns the path that clients see before `/api/v1`; usually empty. See `publicPrefix`. */
  readonly prefix: () => string;
  /** Returns the origin to which the client sent the request; null if it is not known. See `requestOrigin`. */
  readonly origin: () => string | null;
  /** Whether the request was sent over HTTPS, as far as the panel's Koa knows. */
  readonly secure: boolean;
  /** The parameters that the operation declares, as far as the request sets them. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface LoadedObject {
  readonly data: object;
  /** The data as JSON text, created once for all requests that share the load. */
  readonly body: () => BufferedBody;
}

export function loadedObject(resource: string, data: object): LoadedObject {
  let body: BufferedBody | undefined;
  return { data, body: () => (body ??= new BufferedBody(toJson({ resource, ...data }))) };
}

export interface ObjectEndpoint extends Operation {
  readonly kind: 'object';
  readonly load: (context: RequestContext) => Promise<LoadedObject>;
  /** Whether it is a mount of its own beside the API, such as the metrics. */
  readonly apart?: true;
}

export type Endpoint = ListOperation | ObjectEndpoint;

export function endpointOf(operation: AnyOperation, mount: object): Endpoint {
  if (operation.kind === 'list') return operation;
  const { name, load, alike } = operation;
  const loadAlone = async (context: RequestContext) => loadedObject(name, await load(context, mount));
  if (!alike) return { ...operation, load: loadAlone };
  const shared = sharedRuns<RequestContext, LoadedObject>(([first]) => loadAlone(first));
  return { ...operation, load: async (context) => shared(alike(context), context) };
}
