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
  /** Fields of each item of a list, or of `data` itself. */
  readonly fields: Fields;
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

/** Whether a token with these scopes may use the operation. */
export function grants(scopes: readonly string[], { scope }: Pick<OperationFacts, 'scope'>): boolean {
  return scopes.includes(scope) || scopes.includes(EVERY_SCOPE);
}
