import { INT64, keyName, objectSchema } from '../fields';
import { API_PATH, type Operation, pathOf, successMessage, tags } from '../fields/Operation';
import { published } from '../health/published';
import type { JsonSchema } from '../json/json';
import { MOST_COUNTS } from '../lists/figures';
import { type ListParts, servedReport } from '../lists/findList';
import { exampleOf } from './exampleOf';
import { type Get, listParameters, shareParameters } from './listParameters';
import {
  envelopeSchema,
  errorResponses,
  errorSchemas,
  errorStatuses,
  IF_NONE_MATCH,
  NOT_MODIFIED,
  responseHeaders,
  schemaRef,
  successResponse,
} from './responses';

interface DescribedParts extends ListParts {
  readonly options: { readonly panel: { readonly name: string } };
}

/**
 * Returns the OpenAPI 3.1 document of this installation, from the same declarations that read and check the rows. It
 * omits endpoints that this panel cannot serve.
 *
 * @param server the URL below which the API is mounted: absolute, or relative to the document's host.
 */
export async function openapiDocument(parts: DescribedParts, server = ''): Promise<JsonSchema> {
  const gets: Record<string, Get> = {};
  const schemas: Record<string, JsonSchema> = {};
  // One after another: each source's report takes several statements, which together would wait for each other.
  for (const operation of parts.operations) {
    const endpoint = await describe(operation, parts);
    if (!endpoint) continue;
    gets[API_PATH + pathOf(operation)] = withOneType(endpoint.get);
    Object.assign(schemas, withOneType(endpoint.schemas));
  }
  const { paths, parameters } = shareParameters(gets);
  return {
    openapi: '3.1.1',
    info: {
      title: `${parts.options.panel.name} API`,
      version: published.version,
      description:
        'Read-only access to the data of this server. Every request needs a token with the scope of its endpoint. Every endpoint answers HEAD too, like GET without the body. A field is null if the panel has no value for it; if null has another meaning, the description of the field says so.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server || '/', description: 'This server.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token that an administrator of this server created.',
        },
      },
      schemas: { ...schemas, ...errorSchemas },
      parameters,
      headers: responseHeaders,
      responses: errorResponses,
    },
  };
}

/** An endpoint that this panel serves. */
interface DescribedEndpoint {
  readonly get: Get;
  /** The schemas of its answer, of `data` and of a list's item, by their names. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Returns null for an endpoint that cannot be served. */
async function describe(operation: Operation, { sources }: ListParts): Promise<DescribedEndpoint | null> {
  const resource = pascalCase(operation.name);
  if (operation.kind === 'object') {
    const data = objectDataSchema(operation);
    const parameters = Object.entries(operation.parameters ?? {}).map(([name, { description, words }]) => ({
      name,
      in: 'query',
      description,
      schema: { type: 'string', enum: words },
    }));
    return {
      get: describeGet(operation, parameters, data),
      schemas: { [resource]: data, ...answerSchema(operation, resource) },
    };
  }
  const report = await servedReport(sources.get(operation.name));
  if (!report) return null;
  const { item = resource } = operation;
  const list = `${item}List`;
  // With the parameter `fields`, an item has only its key for certain.
  const itemSchema = { ...report.itemSchema, required: [keyName(operation.fields)], description: ITEM };
  return {
    get: describeGet(operation, listParameters(operation, report), listDataSchema(operation, itemSchema)),
    schemas: {
      [item]: itemSchema,
      [list]: listDataSchema(operation, schemaRef(item), FIGURES),
      ...answerSchema(operation, list),
    },
  };
}

const ITEM =
  'Item of the list, with all fields that this server provides, or only its key and those that the parameter `fields` names.';

/** The schema of the whole answer around this schema of `data`, by its name. */
function answerSchema(operation: Operation, dataName: string): Readonly<Record<string, JsonSchema>> {
  return { [answerName(operation)]: envelopeSchema(true, 'data', schemaRef(dataName)) };
}

function answerName({ name }: Operation): string {
  return `${pascalCase(name)}Answer`;
}

/** `data` is the schema from which the example is made. */
function describeGet(operation: Operation, parameters: readonly JsonSchema[], data: JsonSchema): Get {
  const { kind, name, tag, title, description, scope } = operation;
  const errors = errorStatuses.map((status) => [status, { $ref: `#/components/responses/error${status}` }]);
  const sample = exampleOf(envelopeSchema(true, 'data', data)) as object;
  const example = { ...sample, message: successMessage(operation) };
  return {
    operationId: `${kind === 'list' ? 'list' : 'get'}${pascalCase(name)}`,
    tags: [tag],
    summary: title,
    description: `${description} Requires the scope \`${scope}\`.`,
    security: [{ bearer: [scope] }],
    parameters: [...parameters, IF_NONE_MATCH],
    responses: {
      200: successResponse(operation, schemaRef(answerName(operation)), example),
      304: NOT_MODIFIED,
      ...Object.fromEntries(errors),
    },
  };
}

function pascalCase(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join('');
}

function objectDataSchema({ name, fields }: Operation) {
  const { properties, required, ...rest } = objectSchema(fields);
  return {
    ...rest,
    properties: { resource: resourceSchema(name), ...properties },
    required: ['resource', ...required],
  };
}

/** What the `data` of a list may contain in place of items, or without any. */
const FIGURES: JsonSchema = {
  total: {
    ...INT64,
    minimum: 0,
    description: 'Number of rows. Present if the request sets `count` or `sum`; `items` is then empty.',
  },
  counts: {
    type: 'object',
    additionalProperties: { ...INT64, minimum: 1 },
    maxProperties: MOST_COUNTS,
    description:
      'Number of rows with each value of the field that `count` names, without rows whose value is null. Absent in other answers.',
  },
  sums: {
    type: 'object',
    additionalProperties: { ...INT64, minimum: 0 },
    description: 'Sum of each field that `sum` names. Absent in other answers.',
  },
  unknown_words: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description:
      'If no row matches: the words of filters that no row has, and that their fields do not have.',
  },
};

function listDataSchema({ name }: Operation, item: JsonSchema, figures: JsonSchema = {}): JsonSchema {
  return {
    type: 'object',
    properties: {
      resource: resourceSchema(name),
      items: { type: 'array', items: item },
      next_cursor: {
        type: ['string', 'null'],
        description:
          'Value of the parameter `cursor` for the next page; null on the last page. Absent if the request sets neither `limit` nor `cursor`.',
      },
      ...figures,
    },
    required: ['resource', 'items'],
    additionalProperties: false,
  };
}

function resourceSchema(name: string): JsonSchema {
  return { const: name, type: 'string', description: 'Name of the resource.' };
}

/** Writes a schema of several types as `anyOf`: many generators know no list of types but one and `null`. */
function withOneType<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withOneType) as T;
  const members = Object.entries(part).map(([name, member]) => [name, withOneType(member)]);
  const { type, items, ...rest } = Object.fromEntries(members);
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2)
    return Object.fromEntries(members);
  const anyOf = type.map((one) => ({
    ...(one === 'integer' ? INT64 : { type: one }),
    ...(one === 'array' && { items }),
  }));
  return { ...rest, anyOf };
}
