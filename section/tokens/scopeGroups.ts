import type { Area } from '../../lib/operations/areas';
import { areas } from '../../lib/operations/areas';
import type { OperationFacts } from '../../lib/operations/OperationFacts';

/** A scope, and what a token with it may read. */
export interface ScopeEntry {
  readonly scope: string;
  readonly sentence: string;
}

/** The scopes of one area of the documentation. */
export interface ScopeGroup {
  readonly area: Area;
  readonly scopes: readonly ScopeEntry[];
}

/** Every scope but the wildcard, in the area of the first operation that needs it. */
export function scopeGroups(operations: readonly OperationFacts[]): readonly ScopeGroup[] {
  const scopes = [...new Set(operations.map(({ scope }) => scope))].map((scope) => {
    const needing = operations.filter((operation) => operation.scope === scope);
    return { scope, area: needing[0]?.area, sentence: sentenceOf(needing) };
  });
  return (Object.keys(areas) as Area[])
    .map((area) => ({
      area,
      scopes: scopes.filter((entry) => entry.area === area),
    }))
    .filter((group) => group.scopes.length > 0);
}

function sentenceOf(operations: readonly OperationFacts[]): string {
  const [first, ...others] = operations;
  if (first && others.length === 0) return first.description;
  return `${operations.map(({ title }) => title).join('; ')}.`;
}
