import type { PrivateServer } from './PrivateServer';

export function startMariadb(options?: {
  readonly durable?: boolean;
  readonly logsStatements?: boolean;
  readonly more?: readonly string[];
}): Promise<PrivateServer>;
