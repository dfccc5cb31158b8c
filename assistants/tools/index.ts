import type { ListReader, PanelReader } from '../../lib/requests/PanelReader';
import { refusedResult, type ToolResult } from '../answers';
import type { Detail } from '../where';
import { count } from './count';
import { find } from './find';
import { list } from './list';
import { overview } from './overview';
import { problems } from './problems';
import { readArguments } from './readArguments';
import { server } from './server';
import type { Tool } from './Tool';

/** All tools, in the order in which they are shown. */
const TOOLS: readonly Tool[] = [overview, problems, find, list, count, server];

/** The most bytes of the descriptions of all tools: a client pays for them in every conversation. */
const MOST_BYTES = 6 * 1024;

const DETAILS: readonly Detail[] = ['words', 'ranges', 'filters'];

// A code of JSON-RPC.
const INVALID_PARAMS = -32_602;

/** Describes the tools that the token may call, with the lists that it may read. */
export async function describeTools(reader: PanelReader) {
  const lists: ListReader[] = [];
  await reader.eachList(async (one) => {
    lists.push(one);
  });
  const shown = TOOLS.filter((tool) => reader.endpoints.some(tool.reads));
  const described = DETAILS.map((detail) => shown.map((tool) => describeTool(tool, lists, detail)));
  const isShort = (tools: object) => Buffer.byteLength(JSON.stringify(tools)) <= MOST_BYTES;
  return described.find(isShort) ?? described.at(-1);
}

/** Calls a tool. Returns why it was refused or failed as its result; throws for a tool that does not exist. */
export async function callTool(name: unknown, given: unknown, reader: PanelReader): Promise<ToolResult> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) throw Object.assign(new Error('Unknown tool.'), { code: INVALID_PARAMS });
  const call = async () => {
    await reader.requireAny(tool.reads);
    return tool.call((await readArguments(tool, given, reader)) as never, reader);
  };
  return reader.runTool(tool.name, call, refusedResult);
}

function describeTool(tool: Tool, lists: readonly ListReader[], detail: Detail) {
  const { name, title, input, required, output } = tool;
  const names = lists.map((list) => list.name);
  return {
    name,
    title,
    description: tool.description + (tool.describe?.(lists, detail) ?? ''),
    inputSchema: {
      type: 'object',
      properties: { ...input, ...(input.list && { list: { ...input.list, enum: names } }) },
      ...(required && { required }),
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: output },
    annotations: { readOnlyHint: true },
  };
}
