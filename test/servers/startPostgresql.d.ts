import type { PrivateServer } from './PrivateServer';

export function startPostgresql(options?: {
  readonly durable?: boolean;
  readonly standbyOf?: PrivateServer;
  readonly more?: readonly string[];
}): Promise<PrivateServer>;
