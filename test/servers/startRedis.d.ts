import type { PrivateServer } from './PrivateServer';

export function startRedis(): Promise<PrivateServer>;
