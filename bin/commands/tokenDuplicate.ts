import type { Command } from 'commander';
import { cliAuthor } from '../author';
import { parseId, rightsText, tokenJson, unknownToken } from '../token';
import { addPropertyOptions, type PropertyOptions, propertiesOf } from '../tokenOptions';
import { withNewToken } from '../withNewToken';

export function tokenDuplicate(token: Command): void {
  addPropertyOptions(
    token
      .command('duplicate')
      .description('create a token like this one, which may have ended; it is shown only once')
      .argument('<id>', 'id of the token', parseId),
    ' (default: the new token lives as long as the original was meant to)',
  ).action(duplicate);
}

async function duplicate(id: number, options: PropertyOptions, command: Command): Promise<void> {
  await withNewToken(command, async ({ tokens }, show) => {
    const created = await tokens.duplicate(id, propertiesOf(options), cliAuthor());
    if (!created) throw unknownToken(id);
    await show(created, { about: rightsText(created.record), json: tokenJson(created.record) });
  });
}
