import { anyObject } from '../lib/fields';
import type { Installation } from '../lib/Installation';
import type { RequestContext } from '../lib/requests/Endpoint';
import { objectOperation } from './objectOperation';

export const openapi = objectOperation({
  name: 'openapi',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'OpenAPI document',
  description: 'OpenAPI 3.1 document of the API as this server provides it.',
  fields: {
    document: anyObject('The OpenAPI 3.1 document.'),
  },
  alike: serverOf,
  async load(context: RequestContext, installation: Installation) {
    return { document: await installation.openapiDocument(serverOf(context)) };
  },
});

function serverOf({ origin, prefix }: RequestContext): string {
  return (origin() ?? '') + prefix();
}
