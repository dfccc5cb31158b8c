import type { Installation } from '../lib/Installation';
import type { JsonSchema } from '../lib/json/json';
import { PARAMETERS_OF_FIGURES, PARAMETERS_OF_ITEMS } from '../lib/lists/figures';
import { openapiDocument } from '../lib/openapi/openapiDocument';
import { API_PATH } from '../lib/operations/Operation';

/** What the OpenAPI document says about this installation, as the reference shows it. */
export interface Described {
  readonly tags: readonly DescribedTag[];
  /** The names of the API's own headers, without `Cache-Control`, which is always the same. */
  readonly headers: readonly string[];
}

interface DescribedTag {
  readonly name: string;
  readonly endpoints: readonly DescribedEndpoint[];
}

export interface DescribedEndpoint {
  /** Its path without the API's and without `.php`; also the fragment of its link. */
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The parameters of the query. */
  readonly parameters: readonly DescribedParameter[];
  /** The fields of an item, or of the data of an object. */
  readonly fields: readonly DescribedField[];
  readonly example: unknown;
}

export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  /** Whether it is a bound of a range. */
  readonly isRange: boolean;
  /** What the parameter belongs to: the API refuses both kinds together. Null if it goes with both. */
  readonly answer: 'items' | 'figures' | null;
  readonly value: ParameterValue;
}

/** The values of a parameter. */
export type ParameterValue =
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly isSeveral: boolean }
  | {
      readonly kind: 'number';
      readonly isWhole: boolean;
      readonly minimum: unknown;
      readonly maximum: unknown;
    }
  | { readonly kind: 'day' }
  | { readonly kind: 'text'; readonly maxLength: unknown };

interface DescribedField {
  readonly name: string;
  readonly types: readonly string[];
  readonly description: string;
}

/** Reads the installation's own OpenAPI document. */
export async function describedEndpoints(installation: Installation): Promise<Described> {
  const document = (await openapiDocument(installation)) as unknown as ShownDocument;
  const { paths, components } = document;
  const endpoints = Object.entries(paths).map(([path, { get }]) => ({
    ...endpoint(path, get, components),
    tags: get.tags,
  }));
  const tags = document.tags.map(({ name }) => ({
    name,
    endpoints: endpoints.filter((one) => one.tags.includes(name)),
  }));
  return {
    tags: tags.filter((tag) => tag.endpoints.length > 0),
    headers: Object.keys(components.headers).filter((name) => name !== 'Cache-Control'),
  };
}

/** The part of the OpenAPI document that the reference shows. */
interface ShownDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly get: ShownOperation }>>;
  readonly components: Components;
}

interface Components {
  readonly schemas: Schemas;
  readonly parameters: Readonly<Record<string, ShownParameter>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface ShownOperation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Referable<ShownParameter>[];
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': {
          readonly schema: Schema;
          readonly example: unknown;
        };
      };
    };
  };
}

interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
}

/** A part of the document, in its place or by a reference to a component. */
type Referable<T> = T & { readonly $ref?: string };

type Schemas = Readonly<Record<string, Schema>>;

interface Schema extends JsonSchema {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Schemas;
  readonly items?: Schema;
}

function endpoint(path: string, operation: ShownOperation, components: Components): DescribedEndpoint {
  const { summary, description, parameters, responses } = operation;
  const { schema, example } = responses[200].content['application/json'];
  const answer = resolved(schema, components.schemas);
  const properties = propertiesOf(answer.properties?.data ?? {}, components.schemas);
  const query = parameters
    .map((one) => resolved(one, components.parameters))
    .filter((one) => one.in === 'query');
  return {
    name: path.slice(API_PATH.length + 1).replace(/\.php$/, ''),
    path,
    summary,
    description,
    parameters: query.map(({ name, description, schema }) => {
      // A filter has the name of its field.
      const isRange = /_(?:since|before|min|max)$/.test(name) && !Object.hasOwn(properties, name);
      return { name, description, isRange, answer: answerOf(name), value: entryValue(schema, isRange) };
    }),
    fields: Object.entries(properties).map(([name, field]) => ({
      name,
      types: (field.anyOf ?? [field]).flatMap(({ type }) => type).map(String),
      description: String(field.description ?? ''),
    })),
    example,
  };
}

function resolved<T>(part: Referable<T>, components: Readonly<Record<string, T>>): T {
  return components[part.$ref?.split('/').at(-1) ?? ''] ?? part;
}

/** The fields of a list's items, or of `data` itself. */
function propertiesOf(data: Schema, schemas: Schemas): Schemas {
  const { properties = {} } = resolved(data, schemas);
  return properties.items?.items ? propertiesOf(properties.items.items, schemas) : properties;
}

function answerOf(name: string): DescribedParameter['answer'] {
  if (PARAMETERS_OF_FIGURES.includes(name)) return 'figures';
  return PARAMETERS_OF_ITEMS.includes(name) ? 'items' : null;
}

function entryValue(schema: Schema, isRange: boolean): ParameterValue {
  const { type, enum: closed, examples, minimum, maximum, maxLength } = schema.items ?? schema;
  if (isRange && type === 'string') return { kind: 'day' };
  const isSeveral = schema.items !== undefined;
  const words = type === 'boolean' ? ['true', 'false'] : ((closed ?? examples ?? []) as readonly string[]);
  // A single example is no choice.
  if (words.length > 1 || closed !== undefined) return { kind: 'word', words, isSeveral };
  if ((type === 'integer' || type === 'number') && !isSeveral) {
    return { kind: 'number', isWhole: type === 'integer', minimum, maximum };
  }
  return { kind: 'text', maxLength };
}
