import type { JsonSchema } from '../../lib/json/JsonSchema';

/** One endpoint as the OpenAPI document describes it. */
export interface Endpoint {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly area: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the whole answer. */
  readonly answer: JsonSchema;
  /** The fields of an item, or of `data` itself. */
  readonly fields: Readonly<Record<string, JsonSchema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
}

interface Described {
  readonly get: {
    readonly summary: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly parameters: readonly Parameter[];
    readonly responses: Readonly<
      Record<string, { content?: Readonly<Record<string, { schema: JsonSchema }>> }>
    >;
  };
}

type Properties = Readonly<
  Record<string, JsonSchema & { properties?: Properties; items?: { properties?: Properties } }>
>;

/** The endpoints of an OpenAPI document that the module made. */
export function endpoints({ paths }: JsonSchema): readonly Endpoint[] {
  return Object.entries(paths as Readonly<Record<string, Described>>).map(([path, { get }]) => {
    const answer = get.responses[200]?.content?.['application/json']?.schema ?? {};
    const data = (answer.properties as Properties | undefined)?.data?.properties ?? {};
    return {
      path,
      title: get.summary,
      description: get.description,
      area: get.tags[0] ?? '',
      parameters: get.parameters,
      answer,
      fields: data.items?.items?.properties ?? data,
    };
  });
}
