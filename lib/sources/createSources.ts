import type { Database } from '../database/Database';
import type { PanelLog } from '../log/PanelLog';
import type { OperationFacts } from '../operations/OperationFacts';
import type { CheckedOptions } from '../options/MountOptions';
import { AbsentSource } from './AbsentSource';
import type { Source } from './Source';
import { TableSource } from './TableSource';
import { UnitSource } from './UnitSource';

/** The source of every list, by the resource's name. */
export function createSources(
  operations: readonly OperationFacts[],
  { sources }: CheckedOptions,
  database: Database,
  log: PanelLog,
): ReadonlyMap<string, Source> {
  const create = ({ name, fields }: OperationFacts): Source => {
    const options = sources[name];
    if (options === false) return new AbsentSource();
    if (options && 'units' in options) return new UnitSource(fields, options.units);
    if (!options && name === 'services') return new UnitSource(fields);
    // Settings are an allow-list: without keys none is shown.
    const allowed = name === 'settings' ? { keys: [], ...options } : { ...options };
    return new TableSource({ resource: name, fields, options: allowed, database, log });
  };
  return new Map(
    operations.filter(({ kind }) => kind === 'list').map((operation) => [operation.name, create(operation)]),
  );
}
