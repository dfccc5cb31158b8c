import type { PrivateServer } from './PrivateServer';

export function startMysql(options?: {
  readonly durable?: boolean;
  readonly logsStatements?: boolean;
  readonly more?: readonly string[];
}): Promise<PrivateServer>;
