import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import { ApiError } from '../errors/ApiError';
import type { PanelLog } from '../log/PanelLog';
import { type Operation, ownerField } from '../operations/Operation';
import { AllowListSource } from './AllowListSource';
import { ConcatSource } from './ConcatSource';
import { FunctionSource } from './function/FunctionSource';
import { unitRows } from './function/systemdUnits';
import { listIds } from './ids';
import { emptyReport, type Looks, type Source } from './Source';
import type { PartOptions, SourceOptions } from './SourceOptions';
import { checkPanelQuery } from './sql/panelQuery';
import { SqlSource } from './sql/SqlSource';

/** Creates the source of every list, by list name. `checks` is the same database, in the slots of CHECKS. */
export function createSources(
  operations: readonly Operation[],
  sources: Readonly<Record<string, SourceOptions>>,
  { database, checks }: { readonly database: Database; readonly checks: Database },
  log: PanelLog,
): ReadonlyMap<string, Source> {
  const several = new Set(
    Object.keys(sources).filter((name) => isSeveral(sources[name]) && !saysUnique(sources[name])),
  );
  const looks: Looks = {
    run: checks.run,
    end: () => Cancellation.after(database.deadlineMs),
  };
  const createPart = (operation: Operation, options: PartOptions, part: number): Source => {
    const path = `sources.${operation.name}${Array.isArray(sources[operation.name]) ? `.${part}` : ''}`;
    if (options.query) checkPanelQuery(options.query, database.panelKnex, path);
    const ids = listIds(operation.name, part, several);
    const parts = { resource: operation.name, fields: operation.fields, ids };
    const source = options.rows
      ? new FunctionSource({ ...parts, options, owner: ownerField(operation) })
      : new SqlSource({ ...parts, options, database, checks, log });
    return operation.allowList
      ? new AllowListSource(source, operation.fields, options.keys ?? [], looks)
      : source;
  };
  const create = (operation: Operation): Source => {
    const options = sources[operation.name] ?? (operation.fromSystemd ? unitRows() : {});
    if (options === false) return disabledSource;
    if ('units' in options) return createPart(operation, unitRows(options.units), 0);
    if (!isSeveral(options)) return createPart(operation, [options].flat()[0] ?? {}, 0);
    return new ConcatSource(
      operation.fields,
      options.map((part, index) => createPart(operation, part, index)),
      saysUnique(options) ? looks : null,
    );
  };
  return new Map(
    operations.filter(({ kind }) => kind === 'list').map((operation) => [operation.name, create(operation)]),
  );
}

function saysUnique(options: unknown): boolean {
  return Array.isArray(options) && options[0]?.uniqueIds === true;
}

function isSeveral(options: unknown): options is readonly PartOptions[] {
  return Array.isArray(options) && options.length > 1;
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
