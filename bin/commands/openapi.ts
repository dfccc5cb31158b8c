import type { Command } from 'commander';
import { isHost } from '../../lib/addresses/requestOrigin';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { Installation } from '../../lib/Installation';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { withInstallation } from '../withInstallation';

export function openapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of this installation')
    .option(
      '--server <url>',
      'address of the panel, such as https://panel.example (default: relative)',
      parseServer,
    )
    .action(printDocument);
}

/** Returns the URL without a slash at its end, because paths follow it. */
function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url && /^https?:$/.test(url.protocol) && isHost(url.host);
  if (isWeb && url.href === url.origin + url.pathname) return url.href.replace(/\/+$/, '');
  throw new InvalidInput(
    'server',
    'The server must be an http or https URL without user name, password, query and fragment.',
  );
}

async function printDocument({ server }: { readonly server?: string }, command: Command): Promise<void> {
  const print = async (installation: Installation) => ({ json: await openapiDocument(installation, server) });
  await withInstallation(command, print, { tables: false });
}
