import type { PrivateServer } from './PrivateServer';

export function startMariadb(options?: { readonly durable?: boolean }): Promise<PrivateServer>;
