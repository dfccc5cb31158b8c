import { isHost } from '../../lib/addresses/requestOrigin';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import type { Definition } from '../onInstallation';

export const openapi: Definition<[{ readonly server?: string }]> = {
  description: 'print the OpenAPI document of this installation',
  tables: false,
  define: (command) =>
    command.option(
      '--server <url>',
      'address of the panel, such as https://panel.example (default: relative)',
      parseServer,
    ),
  run: async (installation, _, { server }) => ({ json: await openapiDocument(installation, server) }),
};

/** Returns the URL without a slash at its end, because paths follow it. */
function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url && /^https?:$/.test(url.protocol) && isHost(url.host);
  if (isWeb && url.href === url.origin + url.pathname) return url.href.replace(/^(.*[^/])\/*$/, '$1');
  throw new InvalidInput(
    'server',
    'The server must be an http or https URL without user name, password, query and fragment.',
  );
}
