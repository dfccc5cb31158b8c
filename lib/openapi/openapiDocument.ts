import type { Installation } from '../Installation';
import type { JsonSchema } from '../json/JsonSchema';
import { areas } from '../operations/areas';
import { API_PATH, type OperationFacts, pathOf } from '../operations/OperationFacts';
import { moduleFacts } from '../release/moduleFacts';
import { listDataSchema, objectDataSchema } from './dataSchema';
import { errorResponses } from './errorResponses';
import { listParameters } from './listParameters';
import { responseHeaders } from './responseHeaders';
import { servedReport } from './servedReport';
import { IF_NONE_MATCH, NOT_MODIFIED, successResponse } from './successResponse';

/**
 * The OpenAPI 3.1 document of this installation, made from the declarations that read and check the rows: an
 * endpoint that this panel cannot serve is not in it.
 */
export async function openapiDocument(installation: Installation, mountPath = ''): Promise<JsonSchema> {
  const { operations, options } = installation;
  const paths: (readonly [path: string, item: { readonly get: JsonSchema }])[] = [];
  // One after another: each look at a source takes several statements, and together they would wait for each other.
  for (const operation of operations) {
    const described = await describe(operation, installation);
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
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
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
async function describe(operation: OperationFacts, { sources }: Installation): Promise<JsonSchema | null> {
  if (operation.kind === 'object') return describeGet(operation, objectDataSchema(operation), []);
  const report = await servedReport(sources.get(operation.name));
  return report && describeGet(operation, listDataSchema(operation, report), listParameters(report));
}

function describeGet(
  { name, kind, area, title, description, scope }: OperationFacts,
  data: JsonSchema,
  parameters: readonly JsonSchema[],
): JsonSchema {
  const errors = Object.keys(errorResponses()).map((status) => [
    status.slice('error'.length),
    { $ref: `#/components/responses/${status}` },
  ]);
  return {
    operationId: operationId(name),
    tags: [area],
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
