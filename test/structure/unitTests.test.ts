import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import leaveOut from '../servers/leaveOut.js';

const TESTS = join(__dirname, '..');

test('the unit tests read no build, which a fresh clone does not have', async () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  jest.spyOn(console, 'error').mockReturnValue();
  const { filtered } = await leaveOut(files.map((name) => join(TESTS, name)));
  expect(filtered.length).toBeGreaterThan(50);
  const reading = filtered.filter((file: string) =>
    /['"`](?:\.\.?\/)*dist['"`/]/.test(readFileSync(file, 'utf8')),
  );
  expect(reading).toEqual([]);
});
