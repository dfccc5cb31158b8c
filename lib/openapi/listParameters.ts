import type { Operation } from '../fields/Operation';
import type { JsonSchema } from '../json/json';
import { countable, MOST_COUNTS, summable } from '../lists/figures';
import { MOST_VALUES } from '../lists/filterValues';
import { DEFAULT_LIMIT, MOST_ROWS, parameterNames } from '../lists/parseListQuery';
import { type RangeParameters, rangeParameters } from '../lists/ranges';
import { LONGEST_SEARCH } from '../lists/search';
import type { SourceReport } from '../sources/Source';
import { exampleOf } from './exampleOf';

const ORDER =
  'Order of the items. Default: by key, ascending. `desc`: the reverse. A minus sign and the name of a time field: ' +
  'by this time, the latest first; items without it come last.';

const COUNT =
  'Return the number of rows instead of the items: `true` all of them, a field also those with each of its values, at ' +
  `most ${MOST_COUNTS}. Without \`limit\`, \`cursor\`, \`order\` and \`fields\`.`;

const SUM =
  'Return the sums of these fields and the number of rows instead of the items, separated by commas. Without `limit`, ' +
  '`cursor`, `order` and `fields`.';

const SPELLINGS = ' A domain name is found in either spelling: `bücher.example` and `xn--bcher-kva.example`.';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** A parameter of a query, without its name. */
interface ParameterFacts extends JsonSchema {
  readonly description: string;
  readonly schema: JsonSchema;
}

export function listParameters(
  operation: Pick<Operation, 'fields'>,
  report: SourceReport,
): readonly JsonSchema[] {
  const { properties } = report.itemSchema;
  const spellings = (names: readonly string[]) =>
    names.some((name) => operation.fields[name]?.form?.isDomain) ? SPELLINGS : '';
  const described: Readonly<Record<string, ParameterFacts>> = {
    limit: {
      description: `Maximum number of items per page; ${DEFAULT_LIMIT} if only \`cursor\` is set. Without \`limit\` and \`cursor\` the answer contains the whole list.`,
      schema: { type: 'integer', minimum: 1, maximum: MOST_ROWS, examples: [DEFAULT_LIMIT] },
    },
    cursor: {
      description:
        'Value of `next_cursor` in the previous page, to get the next one. The other parameters that select items must be the same.',
      schema: { type: 'string' },
    },
    order: {
      description: ORDER,
      schema: { type: 'string', enum: report.orders },
    },
    fields: severalOf(
      'Names of the fields to return, separated by commas. The key of each item is always returned.',
      { type: 'string', enum: Object.keys(properties) },
    ),
    search: {
      description: `Only items of which ${either.format(report.searchable.map((name) => `\`${name}\``))} begins with this text. The case of the letters A to Z does not matter.${spellings(report.searchable)}`,
      schema: withExample({ type: 'string', minLength: 1, maxLength: LONGEST_SEARCH }, report.searchable[0]),
    },
    count: {
      description: COUNT,
      schema: { type: 'string', enum: countable(operation, report) },
    },
    sum: severalOf(SUM, { type: 'string', enum: summable(operation, report) }),
    ...Object.fromEntries(rangeParameters(report).flatMap(ranges)),
  };
  return parameterNames(operation, report).map((name) => ({
    name,
    in: 'query',
    ...(described[name] ?? filter(name, spellings([name]), properties[name])),
  }));
}

/** A parameter with several values, separated by commas. */
function severalOf(description: string, items: JsonSchema, limits: JsonSchema = {}): ParameterFacts {
  const schema = { type: 'array', items, minItems: 1, ...limits };
  return { description, schema, style: 'form', explode: false };
}

function ranges({ field, form, names }: RangeParameters): readonly (readonly [string, ParameterFacts])[] {
  const { asks, schema } = form;
  return names.map((name, end) => [
    name,
    {
      description: `Only items whose \`${field}\` ${asks[end]}. Null is never included.`,
      schema: withExample(schema, field),
    },
  ]);
}

/** A schema whose values no `enum` names, with a value that the parameter can have, unless it has one. */
function withExample(schema: JsonSchema, field?: string): JsonSchema {
  return { examples: [exampleOf(schema, field)], ...schema };
}

/** A filter by a field, with any value that the field can have except null. */
function filter(
  name: string,
  more: string,
  { type, format, enum: words, examples }: JsonSchema = {},
): ParameterFacts {
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  const value = {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(format !== undefined && { format }),
    ...(Array.isArray(words) && { enum: words.filter((word) => word !== null) }),
    ...(Array.isArray(examples) && { examples }),
  };
  const quoted = types.includes('string') ? ' A value with a comma is in double quotes.' : '';
  return severalOf(
    `Only items whose \`${name}\` is one of these values, separated by commas.${quoted}${more}`,
    value,
    { maxItems: MOST_VALUES, examples: [[exampleOf(value, name)]] },
  );
}

export interface Get extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
}

/**
 * Replaces each parameter that several operations have by a reference. If parameters of one name differ, only the first
 * ones that are equal are shared.
 */
export function shareParameters(gets: Readonly<Record<string, Get>>): JsonSchema {
  const seen = new Set<string>();
  const texts = new Map<unknown, string>();
  for (const parameter of Object.values(gets).flatMap(({ parameters }) => parameters)) {
    const text = JSON.stringify(parameter);
    if (seen.has(text) && !texts.has(parameter.name)) texts.set(parameter.name, text);
    seen.add(text);
  }
  // Some generators write a type for each component, and `domain` and `Domain` would be one.
  const components: Record<string, JsonSchema> = {};
  for (const [name, text] of texts) components[`${name}Parameter`] = JSON.parse(text);
  const shared = (one: JsonSchema) =>
    texts.get(one.name) === JSON.stringify(one)
      ? { $ref: `#/components/parameters/${one.name}Parameter` }
      : one;
  const paths = Object.entries(gets).map(([path, get]) => [
    path,
    { get: { ...get, parameters: get.parameters.map(shared) } },
  ]);
  return { paths: Object.fromEntries(paths), parameters: components };
}
