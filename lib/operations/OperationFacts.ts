import type { Fields } from '../fields';
import type { Area } from './areas';

/** What is declared of an endpoint. */
export interface OperationFacts {
  /** The resource's name; its path is made of it. */
  readonly name: string;
  readonly scope: string;
  /** The group that it belongs to in the documentation. */
  readonly area: Area;
  /** What the resource is called at the beginning of a sentence. */
  readonly title: string;
  /** One sentence about what it holds. */
  readonly description: string;
  readonly kind: 'list' | 'object';
  /** Fields of each item of a list, or of `data` itself. The first field of a list is its key. */
  readonly fields: Fields;
  /** The field of a list that says whose a row is, where that is not `account_id`. See `ownerField`. */
  readonly owner?: string;
  /** Whether it concerns the whole server, and so is not for tokens of one account. Lists tell that by their rows. */
  readonly serverWide?: true;
  /** Whether a list comes from systemd unless the panel says otherwise. */
  readonly fromSystemd?: true;
  /** Whether a list holds only rows whose keys the panel allows. */
  readonly allowList?: true;
}

/** The field of a list that says whose a row is, where it has one. */
export function ownerField({ owner, fields }: Pick<OperationFacts, 'owner' | 'fields'>): string | undefined {
  return owner ?? ('account_id' in fields ? 'account_id' : undefined);
}

/** Whether the operation concerns the whole server at every panel. */
export function isServerWide(operation: OperationFacts): boolean {
  return operation.serverWide ?? (operation.kind === 'list' && ownerField(operation) === undefined);
}

/** Where every endpoint is. */
export const API_PATH = '/api/v1';

/** The path of a resource below API_PATH. */
export function pathOf({ name }: Pick<OperationFacts, 'name'>): string {
  return `/${name}.php`;
}

/** The scope that grants all others. */
export const EVERY_SCOPE = '*';

/** Every scope that a token may carry, `*` last. */
export function scopesOf(operations: readonly OperationFacts[]): readonly string[] {
  return [...new Set(operations.map(({ scope }) => scope)), EVERY_SCOPE];
}

/** Whether a token with these scopes has that of the operation. */
export function grants(scopes: readonly string[], { scope }: Pick<OperationFacts, 'scope'>): boolean {
  return scopes.includes(scope) || scopes.includes(EVERY_SCOPE);
}
