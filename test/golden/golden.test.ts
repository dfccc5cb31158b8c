import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeEachEngine } from '../fixture/databases';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import { runCommand } from '../runCommand';

/** Compares with the recorded file; `npm run test:golden` records instead. */
function expectRecorded(file: string, text: string): void {
  const path = join(__dirname, file);
  if (process.env.RENEW_GOLDEN) writeFileSync(path, text);
  try {
    expect(text).toBe(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(
      `The public face differs from test/golden/${file}. If the change is intended, run "npm run test:golden" ` +
        `and commit the file.\n\n${(error as Error).message}`,
    );
  }
}

test('the public types are the recorded ones', async () => {
  expectRecorded('publicTypes.txt', await runCommand('node', [join(__dirname, 'printPublicTypes.mjs')]));
});

describeEachEngine('a panel with all tables', (engine) => {
  let full: FullPanel;

  beforeAll(async () => {
    full = await startFullPanel(engine);
  });

  afterAll(() => full.close());

  test('serves the recorded OpenAPI document', async () => {
    const { body } = await full.panel.get('/api/v1/openapi.php', full.token);
    expectRecorded('openapi.json', `${JSON.stringify(body.data.document, null, 2)}\n`);
  });
});
