import { DatabaseFailure } from '../database/DatabaseFailure';
import { keyName, objectSchema } from '../fields';
import { moduleFacts } from '../health/moduleFacts';
import type { JsonSchema } from '../json/JsonSchema';
import { DEFAULT_LIMIT, MOST_ROWS, MOST_VALUES, parameterNames } from '../lists/parseListQuery';
import { API_PATH, type Operation, pathOf, tags } from '../operations/Operation';
import type { ItemSchema, Source, SourceReport } from '../sources/Source';
import { errorResponses, IF_NONE_MATCH, NOT_MODIFIED, responseHeaders, successResponse } from './responses';

/** The parts of a mount that its document describes. */
export interface DescribedParts {
  readonly operations: readonly Operation[];
  readonly options: { readonly panel: { readonly name: string; readonly version: string } };
  readonly sources: ReadonlyMap<string, Source>;
}

/**
 * The OpenAPI 3.1 document of this installation, made from the declarations that read and check the rows: an
 * endpoint that this panel cannot serve is not in it.
 */
export async function openapiDocument(parts: DescribedParts, mountPath = ''): Promise<JsonSchema> {
  const { operations, options } = parts;
  const paths: (readonly [path: string, item: { readonly get: JsonSchema }])[] = [];
  // One after another: each look at a source takes several statements, and together they would wait for each other.
  for (const operation of operations) {
    const described = await describe(operation, parts);
    if (described) paths.push([API_PATH + pathOf(operation), { get: described }]);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${options.panel.name} API`,
      version: moduleFacts().version,
      description: 'Read-only information about this server, for holders of a token.',
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
          description: 'A token made by an administrator of this server.',
        },
      },
      headers: responseHeaders,
      responses: errorResponses(),
    },
  };
}

/** An operation as it is served here; null where it is not. */
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
  const errors = Object.keys(errorResponses()).map((status) => [
    status.slice('error'.length),
    { $ref: `#/components/responses/${status}` },
  ]);
  return {
    operationId: operationId(name),
    tags: [tag],
    summary: title,
    description: `${description} Needs the scope \`${scope}\`.`,
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

/** The schema of the `data` of an operation that is one object. */
function objectDataSchema({ name, fields }: Operation): JsonSchema {
  const { properties, required, ...rest } = objectSchema(fields) as ObjectSchema;
  return {
    ...rest,
    properties: { resource: resourceSchema(name), ...properties },
    required: ['resource', ...required],
  };
}

/** The schema of the `data` of a list at this installation. */
function listDataSchema({ name, fields }: Operation, { itemSchema }: SourceReport): JsonSchema {
  return {
    type: 'object',
    properties: {
      resource: resourceSchema(name),
      items: { type: 'array', items: shownItem(itemSchema, keyName(fields)) },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Where the next page begins, for `cursor`; null on the last one. Only in pages.',
      },
    },
    required: ['resource', 'items'],
    additionalProperties: false,
  };
}

function resourceSchema(name: string): JsonSchema {
  return { const: name, type: 'string', description: 'Name of the resource.' };
}

/** An item as `fields` may cut it down: only the key is always there. */
function shownItem(schema: ItemSchema, key: string): JsonSchema {
  const description = 'All of its fields, or those that `fields` asks for.';
  return { ...schema, description, required: [key] };
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The query parameters of a list: exactly those that this installation takes. */
function listParameters(report: SourceReport): readonly JsonSchema[] {
  const { properties } = report.itemSchema;
  const described = new Map(
    [limit(), cursor(), fields(Object.keys(properties)), updatedSince()].map((one) => [one.name, one]),
  );
  return parameterNames(report).map((name) => described.get(name) ?? filter(name, properties[name]));
}

function limit(): JsonSchema {
  const description = `Asks for a page of so many items at most. ${DEFAULT_LIMIT} where only a cursor is given.`;
  return parameter('limit', description, { type: 'integer', minimum: 1, maximum: MOST_ROWS });
}

function cursor(): JsonSchema {
  const description = 'The `next_cursor` of the page before, for the same filters.';
  return parameter('cursor', description, { type: 'string' });
}

function fields(served: readonly string[]): JsonSchema {
  return several('fields', 'Only these fields, and the key.', { type: 'string', enum: served });
}

function updatedSince(): JsonSchema {
  const forms = ['date-time', 'date'].map((format) => ({ type: 'string', format }));
  const description = 'Only what was changed at this time or later.';
  return parameter('updated_since', description, { type: 'string', anyOf: forms });
}

function filter(name: string, schema: JsonSchema | undefined): JsonSchema {
  const description = `Only items with one of these values of \`${name}\`.`;
  return several(name, description, wantedValue(schema), MOST_VALUES);
}

function parameter(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'query', description, schema };
}

/** A parameter of several values, separated by commas. */
function several(name: string, description: string, items: JsonSchema, maxItems?: number): JsonSchema {
  const schema = { type: 'array', items, minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) };
  return { ...parameter(name, description, schema), style: 'form', explode: false };
}

/** What may be asked for: anything that the field may hold, but not that it holds nothing. */
function wantedValue({ type, enum: words }: JsonSchema = {}): JsonSchema {
  const types = [type].flat().filter((name) => name !== undefined && name !== 'null');
  const values = Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {};
  return types.length === 0 ? values : { type: types.length === 1 ? types[0] : types, ...values };
}

/**
 * What a list's source gives; null where it gives nothing, or a function of the panel's that it consists of throws:
 * one broken source leaves the others in the document. Rejects with a DatabaseFailure, for then nobody can say.
 */
async function servedReport(source: Source | undefined): Promise<SourceReport | null> {
  try {
    const report = await source?.report();
    return report?.state === 'served' ? report : null;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw error;
    return null;
  }
}

/** The endpoints that this panel serves: every object, and each list that has a source. Rejects like `servedReport`. */
export async function servedOperations({
  operations,
  sources,
}: Pick<DescribedParts, 'operations' | 'sources'>): Promise<readonly Operation[]> {
  const served: Operation[] = [];
  for (const operation of operations) {
    if (operation.kind === 'object' || (await servedReport(sources.get(operation.name))))
      served.push(operation);
  }
  return served;
}
