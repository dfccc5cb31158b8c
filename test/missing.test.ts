import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countedReasons, leaveOut, Missing, reasonsIn } from './missing';

const FILE = join(tmpdir(), `panel-api-left-out-${process.pid}`);
const { env } = process;

beforeEach(() => {
  process.env = { ...env, CI: '', TEST_LEFT_OUT: FILE };
  runAs(1000);
});

afterEach(() => {
  process.env = env;
  rmSync(FILE, { force: true });
});

const runAs = (user: number) => jest.spyOn(process, 'getuid').mockReturnValue(user);
const failedWith = (...errors: unknown[]) => ({ errors: [errors], status: 'done' });
const lacksProgram = () => failedWith(new Missing('a program'), new TypeError('not begun'));

test('a test that needs something that is missing is skipped, and the reason is counted', () => {
  const tests = [lacksProgram(), lacksProgram(), failedWith(new Missing('root'))];
  expect(tests.map(leaveOut)).toEqual([true, true, true]);
  expect(tests.map(({ errors, status }) => [errors, status])).toEqual(tests.map(() => [[], 'skip']));
  expect(countedReasons(reasonsIn(FILE))).toEqual(['2 left out: a program', '1 left out: root']);
});

test('a test that fails for another reason fails', () => {
  const other = failedWith(new Error('wrong'), undefined);
  expect(leaveOut(other)).toBe(false);
  expect(other.status).toBe('done');
  expect(reasonsIn(FILE)).toEqual([]);
});

test('where CI is set, something that is missing fails the test', () => {
  process.env.CI = 'true';
  expect(leaveOut(lacksProgram())).toBe(false);
});
