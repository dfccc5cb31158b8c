import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { isWhole } from '../scale';
import { seed } from './seed';

/** An input that once failed. */
interface KeptFailure {
  /** The seed of the run that found it. */
  readonly seed: number;
  readonly input: unknown;
}

interface Trial<T> {
  /** The name of the property, and of its file of kept failures. */
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<T>;
  readonly check: (input: T) => Promise<void>;
  readonly numRuns: number;
  /** Adds to an input that failed what else its check depends on, so that it can be kept. Default: nothing. */
  readonly complete?: (input: T) => Promise<T>;
  /** What is kept as `{token}`, because it differs in each run. */
  readonly token?: string;
}

/**
 * Checks a property with the kept failures of earlier runs and then with generated input. A whole run that finds
 * another failure keeps its shortest form in `test/prove/input/corpus`: commit it with the fix.
 */
export async function tryInput<T>({
  name,
  arbitrary,
  check,
  numRuns,
  complete = async (input) => input,
  token,
}: Trial<T>): Promise<void> {
  const file = join(__dirname, 'corpus', `${name}.json`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '[]';
  const kept: readonly KeptFailure[] = JSON.parse(token ? text.replaceAll('{token}', token) : text);
  const isKept = (input: unknown) => kept.some((one) => isDeepStrictEqual(one.input, input));
  await fc.assert(fc.asyncProperty(arbitrary, check), {
    numRuns: numRuns + kept.length,
    seed,
    examples: kept.map(({ input }) => [input as T]),
    includeErrorInReport: true,
    asyncReporter: async (run) => {
      const message = await fc.asyncDefaultReportMessage(run);
      if (message === undefined) return;
      if (isWhole && run.counterexample && !isKept(run.counterexample[0])) {
        const input = await complete(run.counterexample[0] as T);
        const all = JSON.stringify([...kept, { seed, input }], null, 2);
        writeFileSync(file, `${token ? all.replaceAll(token, '{token}') : all}\n`);
      }
      throw new Error(message);
    },
  });
}
