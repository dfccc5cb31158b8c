import type { Command } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { cliAuthor } from '../author';
import { formatFacts } from '../table';
import { parseId, tokenFacts, tokenJson, unknownToken } from '../token';
import { addPropertyOptions, type PropertyOptions, propertiesOf } from '../tokenOptions';
import { withInstallation } from '../withInstallation';

export function tokenEdit(token: Command): void {
  addPropertyOptions(
    token
      .command('edit')
      .description('change properties of an active token; the others stay as they are')
      .argument('<id>', 'id of the token', parseId),
    '',
  ).action(edit);
}

async function edit(id: number, options: PropertyOptions, command: Command): Promise<void> {
  const changes = propertiesOf(options);
  if (Object.keys(changes).length === 0)
    throw new InvalidInput('request', 'Name at least one property to change, such as --name.');
  await withInstallation(command, async ({ tokens }) => {
    const record = await tokens.update(id, changes, cliAuthor());
    if (!record) throw unknownToken(id);
    return { json: tokenJson(record), text: formatFacts(tokenFacts(record)) };
  });
}
