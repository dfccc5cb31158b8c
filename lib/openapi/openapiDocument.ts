import { keyName, objectSchema } from '../fields';
import type { JsonSchema } from '../json/json';
import { type ListParts, servedReport } from '../lists/served';
import { API_PATH, type Operation, pathOf, tags } from '../operations/Operation';
import { moduleFacts } from '../release/release';
import type { SourceReport } from '../sources/Source';
import { listParameters } from './listParameters';
import {
  errorResponses,
  errorStatuses,
  IF_NONE_MATCH,
  NOT_MODIFIED,
  responseHeaders,
  successResponse,
} from './responses';

interface DescribedParts extends ListParts {
  readonly options: { readonly panel: { readonly name: string } };
}

/**
 * Returns the OpenAPI 3.1 document of this installation, from the same declarations that read and check the rows. It
 * omits endpoints that this panel cannot serve.
 */
export async function openapiDocument(parts: DescribedParts, mountPath = ''): Promise<JsonSchema> {
  const { operations, options } = parts;
  const paths: (readonly [path: string, item: { readonly get: JsonSchema }])[] = [];
  // One after another: each source's report takes several statements, which together would wait for each other.
  for (const operation of operations) {
    const described = await describe(operation, parts);
    if (described) paths.push([API_PATH + pathOf(operation), { get: described }]);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${options.panel.name} API`,
      version: moduleFacts().version,
      description:
        'Read-only access to the data of this server. Every request needs a token with the scope of its endpoint. A field is null if the panel has no value for it; if null has another meaning, the description of the field says so.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: mountPath || '/', description: 'This server.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token that an administrator of this server created.',
        },
      },
      headers: responseHeaders,
      responses: errorResponses,
    },
  };
}

/** Describes an operation of this installation; null if it cannot be served. */
async function describe(operation: Operation, { sources }: DescribedParts): Promise<JsonSchema | null> {
  if (operation.kind === 'object') return describeGet(operation, objectDataSchema(operation), []);
  const report = await servedReport(sources.get(operation.name));
  return report && describeGet(operation, listDataSchema(operation, report), listParameters(report));
}

function describeGet(
  { name, kind, tag, title, description, scope }: Operation,
  data: JsonSchema,
  parameters: readonly JsonSchema[],
): JsonSchema {
  const errors = errorStatuses.map((status) => [status, { $ref: `#/components/responses/error${status}` }]);
  return {
    operationId: operationId(name),
    tags: [tag],
    summary: title,
    description: `${description} Requires the scope \`${scope}\`.`,
    security: [{ bearer: [scope] }],
    parameters: [...parameters, IF_NONE_MATCH],
    responses: {
      200: successResponse(title, data, kind === 'list'),
      304: NOT_MODIFIED,
      ...Object.fromEntries(errors),
    },
  };
}

function operationId(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `get${words.join('')}`;
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schema of the `data` of an object. */
function objectDataSchema({ name, fields }: Operation): JsonSchema {
  const { properties, required, ...rest } = objectSchema(fields) as ObjectSchema;
  return {
    ...rest,
    properties: { resource: resourceSchema(name), ...properties },
    required: ['resource', ...required],
  };
}

/** The schema of the `data` of a list in this installation. */
function listDataSchema({ name, fields }: Operation, { itemSchema }: SourceReport): JsonSchema {
  const shownItem = {
    ...itemSchema,
    description:
      'Item of the list, with all fields that this server provides, or only those that the parameter `fields` names.',
    // `fields` never omits the key.
    required: [keyName(fields)],
  };
  return {
    type: 'object',
    properties: {
      resource: resourceSchema(name),
      items: { type: 'array', items: shownItem },
      next_cursor: {
        type: ['string', 'null'],
        description:
          'Value of the parameter `cursor` for the next page; null on the last page. Absent if the request sets neither `limit` nor `cursor`.',
      },
    },
    required: ['resource', 'items'],
    additionalProperties: false,
  };
}

function resourceSchema(name: string): JsonSchema {
  return { const: name, type: 'string', description: 'Name of the resource.' };
}
