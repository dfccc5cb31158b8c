import { ApiError, refuseParameter } from '../../lib/errors/ApiError';
import type { PanelReader } from '../../lib/requests/PanelReader';
import { parsedIf, textOf, textsOf } from '../values';
import type { ArgumentSchema, Tool } from './Tool';

/**
 * Reads the arguments of a tool by their schemas, also those that a program wrote as text, or as null instead of leaving
 * them out. Throws ApiError `query_invalid` that names the first wrong one.
 */
export async function readArguments({ input, required = [] }: Tool, given: unknown, reader: PanelReader) {
  const args: Record<string, unknown> = {};
  const all = readArgument('arguments', given ?? {}, { type: 'object' }) as Readonly<Record<string, unknown>>;
  if (input.list && !reader.listNames.includes(textOf(all.list) ?? '')) {
    const allowed: string[] = [];
    await reader.eachList(async ({ name }) => void allowed.push(name));
    if (allowed.length > 0) throw new ApiError('query_invalid', { parameter: 'list', allowed });
  }
  for (const [parameter, value] of Object.entries(all)) {
    const schema = Object.hasOwn(input, parameter) && input[parameter];
    if (!schema) {
      const supported = Object.keys(input);
      throw new ApiError('query_invalid', { parameter: reader.shownName(parameter), supported });
    }
    if (value !== null) args[parameter] = readArgument(parameter, value, schema);
  }
  for (const parameter of required) if (!(parameter in args)) refuseParameter(parameter, 'given');
  return args;
}

function readArgument(parameter: string, value: unknown, schema: ArgumentSchema): unknown {
  return readValue(value, schema) ?? refuseParameter(parameter, expectedOf(schema));
}

/** Returns the value that the schema describes, or nothing if this is another one. */
function readValue(value: unknown, { type, minimum = 0, maximum = 0, maxLength = Infinity }: ArgumentSchema) {
  // An endpoint takes names with commas between them. No name has a space, but some clients write one after a comma.
  if (type === 'array') return textsOf(value)?.join(',').replaceAll(' ', '');
  if (type === 'object') {
    const object = parsedIf('{', value);
    return typeof object === 'object' && !Array.isArray(object) ? object : undefined;
  }
  const text = textOf(value) ?? '';
  if (type === 'string') return text !== '' && text.length <= maxLength ? text : undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  return number >= minimum && number <= maximum ? number : undefined;
}

function expectedOf({ type, minimum, maximum, maxLength }: ArgumentSchema): string {
  if (type === 'array') return 'an array of one or more texts';
  if (type === 'object') return 'a JSON object';
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  return `a text of 1 ${maxLength ? `to ${maxLength} characters` : 'character or more'}, without NUL`;
}
