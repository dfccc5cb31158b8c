import type { Database } from '../database/Database';
import { ApiError } from '../errors/ApiError';
import { keyName } from '../fields';
import { type Operation, ownerField } from '../fields/Operation';
import type { PanelLog } from '../log/PanelLog';
import { allowOnly } from './allowOnly';
import { ConcatSource } from './ConcatSource';
import { FunctionSource } from './function/FunctionSource';
import { unitRows } from './function/systemdUnits';
import { derivesNumbers, listIds } from './ids';
import { emptyReport, type Source } from './Source';
import type { PartOptions, SourceOptions } from './SourceOptions';
import { CountingSource, countsOf } from './sql/CountingSource';
import { validatePanelQuery } from './sql/panelQuery';
import { SqlSource, type SqlSourceParts } from './sql/SqlSource';

/** Creates the source of every list, by list name. `checks` is the same database, in the slots of CHECKS. */
export function createSources(
  operations: readonly Operation[],
  sources: Readonly<Record<string, SourceOptions>>,
  { database, checks }: { readonly database: Database; readonly checks: Database },
  log: PanelLog,
): ReadonlyMap<string, Source> {
  const several = new Set(
    Object.keys(sources).filter((name) => [sources[name]].flat().length > 1 && !saysUnique(sources[name])),
  );
  const derived = new Set(Object.keys(sources).filter((name) => [sources[name]].flat().some(derivesNumbers)));
  const created = new Map<string, Source>();
  const createPart = (operation: Operation, options: PartOptions, part: number): Source => {
    const { name: resource, fields, allowList } = operation;
    const path = `sources.${resource}${Array.isArray(sources[resource]) ? `.${part}` : ''}`;
    if (options.query) validatePanelQuery(options.query, database.panelKnex, path);
    const parts = { resource, fields, ids: listIds(resource, part, several, derived), log };
    const source = options.rows
      ? new FunctionSource({ ...parts, options, owner: ownerField(operation) })
      : createSqlSource({ ...parts, options, database, checks });
    return allowList ? allowOnly(source, keyName(fields), options.keys ?? [], checks) : source;
  };
  const createSqlSource = (parts: SqlSourceParts): Source => {
    const counts = countsOf(parts.options.fields);
    return counts.length > 0 ? new CountingSource(parts, counts, created) : new SqlSource(parts);
  };
  const create = (operation: Operation): Source => {
    const options = sources[operation.name] ?? (operation.fromSystemd ? unitRows() : {});
    if (options === false) return disabledSource;
    if ('units' in options) return createPart(operation, unitRows(options.units), 0);
    const parts = [options].flat().map((part, index) => createPart(operation, part, index));
    if (parts.length > 1)
      return new ConcatSource(operation.fields, parts, saysUnique(options) ? checks : null);
    return parts[0] ?? disabledSource;
  };
  for (const operation of operations)
    if (operation.kind === 'list') created.set(operation.name, create(operation));
  return created;
}

function saysUnique(options: unknown): boolean {
  return Array.isArray(options) && options[0]?.uniqueIds === true;
}

/** The source of a list that the panel set to `false`. */
const disabledSource: Source = {
  statements: 0,
  inspect: async () => emptyReport('off'),
  report: async () => emptyReport('off'),
  accepts: () => false,
  groups: async () => [],
  chunks() {
    throw new ApiError('resource_unavailable');
  },
};
