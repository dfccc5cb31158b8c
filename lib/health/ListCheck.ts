import { sharedRun } from '../async/Batcher';
import type { Source } from '../sources/Source';
import { type RunParts, runCheck, type TimedResult } from './Check';
import { checkReading, checkSource, type ListResult } from './checkSource';
import type { SourceParts } from './rules/references';

/** How long the result of an inspection is kept, in milliseconds: it reads up to ten thousand rows. */
const KEPT_MS = 600_000;

/** The checks of one list, which all who ask for them share. They never reject. */
export class ListCheck {
  readonly #name: string;
  readonly #source: Source;
  readonly #parts: SourceParts & RunParts;
  readonly #readings = sharedRun((_asked: null) => checkReading(this.#source, this.#parts));
  #inspection: Promise<ListResult> | undefined;
  /** How long the inspection is used, by `performance.now()`. */
  #keptUntil = 0;

  constructor(name: string, source: Source, parts: SourceParts & RunParts) {
    this.#name = name;
    this.#source = source;
    this.#parts = parts;
  }

  /** Checks whether the list can be read now. */
  read(): Promise<TimedResult<ListResult>> {
    return this.#run(() => this.#readings.ask(null));
  }

  /** Inspects the list, or returns what the last inspection in this process found less than ten minutes ago. */
  inspect(): Promise<TimedResult<ListResult>> {
    return this.#run(() => {
      if (this.#inspection && performance.now() < this.#keptUntil) return this.#inspection;
      const keep = (milliseconds: number) => {
        this.#keptUntil = performance.now() + milliseconds;
      };
      keep(Infinity);
      this.#inspection = checkSource(this.#name, this.#source, this.#parts);
      // A failure may be over soon.
      this.#inspection.then(
        ({ status }) => keep(status === 'fail' ? 0 : KEPT_MS),
        () => keep(0),
      );
      return this.#inspection;
    });
  }

  #run(check: () => Promise<ListResult>): Promise<TimedResult<ListResult>> {
    return runCheck(`source:${this.#name}`, check, this.#parts);
  }
}
