import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { Definition } from '../onPanel';

export const openapi: Definition<[{ readonly server?: string }]> = {
  description: 'print the OpenAPI document of this installation',
  tables: false,
  define: (command) =>
    command.option(
      '--server <url>',
      'address of the panel, such as https://panel.example (default: relative)',
      parseServer,
    ),
  run: async ({ openapiDocument }, _, { server }) => ({ json: await openapiDocument(server) }),
};

/** An address as browsers write it, with a host that a shell and a program read as it is. */
const SERVER = /^https?:\/\/[\w.:[\]-]+\/[^?#]*$/;

/** Returns the URL without a slash at its end, because paths follow it. */
function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text).href : '';
  if (SERVER.test(url)) return url.replace(/^(.*[^/])\/*$/, '$1');
  throw new InvalidInput(
    'server',
    'The server must be an http or https URL without user name, password, query and fragment.',
  );
}
