import type { PrivateServer } from './PrivateServer';

export function startMariadb(): Promise<PrivateServer>;
