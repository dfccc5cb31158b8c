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

/** The source of every list, by the resource's name. */
export function createSources(
  operations: readonly Operation[],
  sources: Readonly<Record<string, SourceOptions>>,
  database: Database,
  log: PanelLog,
): ReadonlyMap<string, Source> {
  const several = new Set(
    Object.keys(sources).filter((name) => isSeveral(sources[name]) && !saysUnique(sources[name])),
  );
  const looks: Looks = {
    run: (name, statement) => database.query(name, statement),
    end: () => Cancellation.after(database.deadlineMs),
  };
  const createPart = (facts: Operation, options: PartOptions, part: number): Source => {
    const path = `sources.${facts.name}${Array.isArray(sources[facts.name]) ? `.${part}` : ''}`;
    if (options.query) checkPanelQuery(options.query, database.panelKnex, path);
    const ids = listIds(facts.name, part, several);
    const parts = { resource: facts.name, fields: facts.fields, ids };
    const source = options.rows
      ? new FunctionSource({ ...parts, options, owner: ownerField(facts) })
      : new SqlSource({ ...parts, options, database, log });
    return facts.allowList ? new AllowListSource(source, facts.fields, options.keys ?? [], looks) : source;
  };
  const create = (facts: Operation): Source => {
    const options = sources[facts.name] ?? (facts.fromSystemd ? unitRows() : {});
    if (options === false) return disabledSource;
    if ('units' in options) return createPart(facts, unitRows(options.units), 0);
    if (!isSeveral(options)) return createPart(facts, [options].flat()[0] ?? {}, 0);
    return new ConcatSource(
      facts.fields,
      options.map((part, index) => createPart(facts, part, index)),
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

/** The source of a resource that the panel switched off with `false`. */
const disabledSource: Source = {
  statements: 0,
  inspect: async () => emptyReport('off'),
  report: async () => emptyReport('off'),
  accepts: () => false,
  count: async () => 0,
  chunks() {
    throw new ApiError('resource_unavailable');
  },
};
