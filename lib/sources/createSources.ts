import type { Database } from '../database/Database';
import type { PanelLog } from '../log/PanelLog';
import { type OperationFacts, ownerField } from '../operations/OperationFacts';
import { RequestEnd } from '../operations/RequestEnd';
import type { CheckedOptions } from '../options/MountOptions';
import { AbsentSource } from './AbsentSource';
import { AllowedSource } from './AllowedSource';
import { ChainedSource } from './ChainedSource';
import { ListIds } from './ListIds';
import { ProviderSource } from './ProviderSource';
import { checkPanelQuery } from './panelQuery';
import type { Looks, Source } from './Source';
import type { PartOptions } from './SourceOptions';
import { SqlSource } from './SqlSource';
import { unitRows } from './unitRows';

/** The source of every list, by the resource's name. */
export function createSources(
  operations: readonly OperationFacts[],
  { sources }: CheckedOptions,
  database: Database,
  log: PanelLog,
): ReadonlyMap<string, Source> {
  const several = new Set(
    Object.keys(sources).filter((name) => isSeveral(sources[name]) && !saysUnique(sources[name])),
  );
  const looks: Looks = {
    run: (name, statement) => database.query(name, statement),
    end: () => RequestEnd.after(database.deadlineMs),
  };
  const createPart = (facts: OperationFacts, options: PartOptions, part: number): Source => {
    const path = `sources.${facts.name}${Array.isArray(sources[facts.name]) ? `.${part}` : ''}`;
    if ('query' in options) checkPanelQuery(options.query, database.panelKnex, path);
    const ids = new ListIds(facts.name, part, several);
    const parts = { resource: facts.name, fields: facts.fields, ids };
    const source =
      'rows' in options
        ? new ProviderSource({ ...parts, options, owner: ownerField(facts) })
        : new SqlSource({ ...parts, options, database, log });
    return facts.allowList ? new AllowedSource(source, facts.fields, options.keys ?? [], looks) : source;
  };
  const create = (facts: OperationFacts): Source => {
    const options = sources[facts.name] ?? (facts.fromSystemd ? unitRows() : {});
    if (options === false) return new AbsentSource();
    if ('units' in options) return createPart(facts, unitRows(options.units), 0);
    if (!isSeveral(options)) return createPart(facts, [options].flat()[0] ?? {}, 0);
    return new ChainedSource(
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
