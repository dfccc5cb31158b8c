import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares with the recorded file; `npm run test:renew` records instead. */
export function expectRecorded(file: string, text: string): void {
  const path = join(__dirname, file);
  if (process.env.RENEW) writeFileSync(path, text);
  try {
    expect(text).toBe(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `The public face differs from test/golden/${file}. If the change is intended, run "npm run test:renew" ` +
        `and commit the file.\n\n${(error as Error).message}`,
    );
  }
}
