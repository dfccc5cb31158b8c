import type { PrivateServer } from './PrivateServer';

/** Starts nginx with TLS and this text within its `server`. */
export function startNginx(locations: string): Promise<PrivateServer>;
