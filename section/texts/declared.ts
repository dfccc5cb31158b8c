import { type Operation, type Tag, tags } from '../../lib/operations/Operation';
import { operations } from '../../routes';

type Declared = (typeof operations)[number];

/** What the endpoints declare: their titles, the groups of the scopes, and what a scope lets a token read. */
type DeclaredTexts = {
  readonly [K in `endpoint.${Declared['name']}` | `scope.${Declared['scope']}` | `tag.${Tag}`]: string;
};

export const declaredTexts = Object.fromEntries([
  ...operations.map(({ name, title }) => [`endpoint.${name}`, title]),
  ...operations.map(({ scope }) => [`scope.${scope}`, whatIsRead(scope)]),
  ...Object.keys(tags).map((tag) => [`tag.${tag}`, tag]),
]) as DeclaredTexts;

/** The description of the only endpoint that needs a scope, or the titles of several. */
function whatIsRead(scope: string): string {
  const needing: readonly Operation[] = operations.filter((operation) => operation.scope === scope);
  const [first, ...others] = needing;
  if (first && others.length === 0) return first.description;
  return `${needing.map(({ title }) => title).join('; ')}.`;
}
