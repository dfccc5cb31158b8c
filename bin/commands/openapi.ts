import type { Command } from 'commander';
import { openapiDocument } from '../../lib/openapi/openapiDocument';
import { withInstallation } from '../withInstallation';

export function openapi(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI document of this installation')
    .action(printDocument);
}

async function printDocument(_options: object, command: Command): Promise<void> {
  await withInstallation(command, async (installation) => ({ json: await openapiDocument(installation) }), {
    tables: false,
  });
}
