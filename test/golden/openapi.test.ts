import { describeEachEngine } from '../fixture/databases';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import { expectRecorded } from './expectRecorded';
import { openapiLines } from './openapiLines';

describeEachEngine('a panel with all tables', (engine) => {
  let full: FullPanel;

  beforeAll(async () => {
    full = await startFullPanel(engine);
  });

  test('serves an OpenAPI document with the recorded signatures', async () => {
    const { body } = await full.panel.get('/api/v1/openapi.php', full.token);
    expectRecorded('openapi.txt', `${openapiLines(body.data.document).join('\n')}\n`);
  });
});
