import type { Installation } from '../Installation';
import type { JsonSchema } from '../json/JsonSchema';
import type { SourceReport } from '../sources/Source';

/** Says which fields hold ids of another type than the list has to which they refer. */
export async function checkReferences(
  resource: string,
  { itemSchema, columns = {} }: SourceReport,
  { operations, sources }: Pick<Installation, 'operations' | 'sources'>,
): Promise<readonly string[]> {
  const { fields = {} } = operations.find(({ name }) => name === resource) ?? {};
  const warnings: string[] = [];
  for (const [name, schema] of Object.entries(itemSchema.properties)) {
    const list = fields[name]?.refersTo;
    const report = list === undefined ? undefined : await sources.get(list)?.report();
    const [key] = Object.values(report?.itemSchema.properties ?? {});
    const [own, theirs] = [typeOf(schema), key && typeOf(key)];
    if (!own || !theirs || own === theirs) continue;
    const column = columns[name] === undefined ? '' : ` (column ${columns[name]})`;
    warnings.push(
      `The field ${name}${column} is of the type ${own}, but the ids of ${list} are of the type ${theirs}: ` +
        'give both one type; integer: true reads whole numbers from a column of texts or decimals.',
    );
  }
  return warnings;
}

/** The only type of an id; undefined if it may be of several. */
function typeOf({ type }: JsonSchema): unknown {
  const types = [type].flat().filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}
