import type { PrivateServer } from './PrivateServer';

export function startPostgresql(): Promise<PrivateServer>;
