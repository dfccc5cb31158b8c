import { memberSchema } from '../../lib/fields';
import { serverHealth } from '../../routes/server-health';
import { boundedResult } from '../answers';
import type { Tool } from './Tool';

/** The entries that are shown of its lists, such as the file systems. */
const MOST_ENTRIES = 50;

const first = (value: unknown, most: number) => (Array.isArray(value) ? value.slice(0, most) : value);

export const server: Tool<object> = {
  name: 'panel_server',
  title: 'The server',
  description: 'Load, memory, swap and disks of the server now.',
  reads: ({ name }) => name === serverHealth.name,
  input: {},
  output: Object.fromEntries(
    Object.entries(serverHealth.fields).map(([name, field]) => [name, { type: memberSchema(field).type }]),
  ),
  async call(_, reader) {
    const health = await reader.object(serverHealth);
    return boundedResult(MOST_ENTRIES, async (most) =>
      Object.fromEntries(Object.entries(health).map(([name, value]) => [name, first(value, most)])),
    );
  },
};
