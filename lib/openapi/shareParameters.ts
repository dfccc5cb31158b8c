import type { JsonSchema } from '../json/json';

/** The description of an operation. */
export interface WithParameters extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
}

interface Shared {
  readonly paths: Readonly<Record<string, { readonly get: WithParameters }>>;
  /** The parameters by the names of their components. */
  readonly parameters: Readonly<Record<string, JsonSchema>>;
}

/**
 * Replaces each parameter that several operations have by a reference. If parameters of one name differ, only the first
 * ones that are equal are shared, so that the name of a component follows from that of its parameter.
 */
export function shareParameters(gets: Readonly<Record<string, WithParameters>>): Shared {
  const seen = new Set<string>();
  const texts = new Map<unknown, string>();
  for (const parameter of Object.values(gets).flatMap(({ parameters }) => parameters)) {
    const text = JSON.stringify(parameter);
    if (seen.has(text) && !texts.has(parameter.name)) texts.set(parameter.name, text);
    seen.add(text);
  }
  const shared = (one: JsonSchema) =>
    texts.get(one.name) === JSON.stringify(one)
      ? { $ref: `#/components/parameters/${componentName(one.name)}` }
      : one;
  const paths = Object.entries(gets).map(([path, get]) => [
    path,
    { get: { ...get, parameters: get.parameters.map(shared) } },
  ]);
  return {
    paths: Object.fromEntries(paths),
    parameters: Object.fromEntries([...texts].map(([name, text]) => [componentName(name), JSON.parse(text)])),
  };
}

/** Some generators write a type for each component, and `domain` and `Domain` would be one. */
function componentName(name: unknown): string {
  return `${name}Parameter`;
}
