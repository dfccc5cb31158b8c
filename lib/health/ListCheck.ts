import { sharedRun } from '../async/Batcher';
import type { Source } from '../sources/Source';
import { type RunParts, runCheck } from './Check';
import { checkReading, checkSource, type ListResult } from './checkSource';
import type { SourceParts } from './rules/references';

/** How long the result of an inspection is kept, in milliseconds: it reads up to ten thousand rows. */
const KEPT_MS = 600_000;

export type ListCheck = ReturnType<typeof createListCheck>;

/** Creates the checks of one list, which all who ask for them share. They never reject. */
export function createListCheck(name: string, source: Source, parts: SourceParts & RunParts) {
  const readings = sharedRun((_asked: null) => checkReading(source, parts));
  let inspection: Promise<ListResult> | undefined;
  /** How long the inspection is used, by `performance.now()`. */
  let keptUntil = 0;
  const run = (check: () => Promise<ListResult>) => runCheck(`source:${name}`, check, parts);
  return {
    /** Checks whether the list can be read now. */
    read: () => run(() => readings.ask(null)),
    /** Inspects the list, or returns what the last inspection in this process found less than ten minutes ago. */
    inspect: () =>
      run(() => {
        if (inspection && performance.now() < keptUntil) return inspection;
        const keep = (milliseconds: number) => {
          keptUntil = performance.now() + milliseconds;
        };
        keep(Infinity);
        inspection = checkSource(name, source, parts);
        // A failure may be over soon.
        inspection.then(
          ({ status }) => keep(status === 'fail' ? 0 : KEPT_MS),
          () => keep(0),
        );
        return inspection;
      }),
  };
}
