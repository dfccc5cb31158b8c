import { livedMs } from '../../../fixture/livedMs';
import {
  type FunctionPanel,
  type RowsFunction,
  startFunctionPanel,
} from '../../../fixture/streams/functionPanel';
import { DOMAINS, ME } from '../../../fixture/streams/longPanel';
import { rowOf } from '../../../fixture/streams/longTable';
import { until } from '../../../fixture/until';

const DEADLINE_MS = 3000;
/** A test of an answer that never ends fails then. */
const HANGS_MS = 20 * DEADLINE_MS;
const FAULT_AT = 10_000;
const SECRET = 'secret-93ab';

const never = new Promise<never>(() => undefined);

/** Yields good rows up to the fault, and good ones after it. */
async function* withFault(fault: () => unknown): AsyncGenerator<never> {
  for (let id = 1; id <= 2 * FAULT_AT; id += 1) yield (id === FAULT_AT ? await fault() : rowOf(id)) as never;
}

const fail = () => {
  throw new Error(SECRET);
};
const rowWithGetter = (name: string) =>
  Object.defineProperty({ ...rowOf(FAULT_AT) }, name, { get: fail, enumerable: true });

const faults: Readonly<Record<string, readonly [fault: () => unknown, code: string]>> = {
  throws: [fail, 'internal_error'],
  hangs: [() => never, 'unavailable'],
  'gives a row twice': [() => rowOf(FAULT_AT - 1), 'internal_error'],
  'gives a row too late': [() => rowOf(5), 'internal_error'],
  'gives no row': [() => null, 'internal_error'],
  'gives a row without an id': [() => ({ ...rowOf(1), id: undefined }), 'internal_error'],
  'gives a row whose field throws': [() => rowWithGetter('domain'), 'internal_error'],
  'gives a row whose id throws': [() => rowWithGetter('id'), 'internal_error'],
};

const starts: Readonly<Record<string, readonly [RowsFunction, status: number, code: string]>> = {
  throws: [fail, 500, 'internal_error'],
  rejects: [() => Promise.reject(new Error(SECRET)), 500, 'internal_error'],
  'rejects with null': [() => Promise.reject(null), 500, 'internal_error'],
  'never settles': [() => never, 503, 'unavailable'],
  'gives an iterator that never settles': [
    () => ({ [Symbol.asyncIterator]: () => ({ next: () => never, return: fail }) }),
    503,
    'unavailable',
  ],
  ...Object.fromEntries(
    [undefined, null, SECRET, 7, {}, true].map((given) => [
      `gives ${JSON.stringify(given)}`,
      [() => given as never, 500, 'internal_error'],
    ]),
  ),
};

describe('A function of the panel that', () => {
  let long: FunctionPanel;
  let lines: number;
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', keep);
    long = await startFunctionPanel(DEADLINE_MS);
  });

  beforeEach(async () => {
    lines = (await long.panel.requestLines(0)).length;
  });

  afterEach(async () => {
    expect(await long.ask(ME)).toEqual([200, null]);
    expect([long.errors, unhandled]).toEqual([[], []]);
  });

  afterAll(() => void process.off('unhandledRejection', keep));

  const line = async () => (await long.panel.requestLines(lines + 1))[lines];

  test.each(Object.keys(faults))(
    '%s half-way breaks the answer off',
    async (name) => {
      const [fault, code] = faults[name]!;
      long.setRows(() => withFault(fault));
      const [{ text, whole }, lived] = await livedMs(async () => {
        const list = await long.open();
        expect(list.response.statusCode).toBe(200);
        return list.rest();
      });
      expect(whole).toBe(false);
      expect(() => JSON.parse(text)).toThrow();
      expect(lived).toBeLessThan(DEADLINE_MS + 3000);
      const written = await line();
      expect(written).toMatchObject({
        level: 'error',
        fields: { status: 200, error_code: code, aborted: true, cause: expect.any(String) },
      });
      expect(text + JSON.stringify(written)).not.toContain(SECRET);
    },
    HANGS_MS,
  );

  test.each(Object.keys(starts))('%s at once is an error that reveals nothing', async (name) => {
    const [rows, status, code] = starts[name]!;
    let signal: AbortSignal | undefined;
    long.setRows((query) => {
      signal = query.signal;
      return rows(query);
    });
    const [answer, lived] = await livedMs(() => long.panel.get(DOMAINS, long.token));
    expect([answer.status, answer.body.error]).toEqual([status, { code }]);
    expect(lived).toBeLessThan(DEADLINE_MS + 1500);
    expect(signal?.aborted).toBe(true);
    expect(answer.text + JSON.stringify(await line())).not.toContain(SECRET);
  });

  test('is not iterated to the end has its iterator closed', async () => {
    let ended = false;
    long.setRows(async function* () {
      try {
        yield* withFault(() => rowOf(FAULT_AT));
      } finally {
        ended = true;
      }
    });
    const list = await long.open();
    await list.some();
    list.leave();
    await line();
    await until(() => ended);
  });
});
