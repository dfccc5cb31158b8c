import { describeEachEngine } from '../fixture/databases';
import { type FullPanel, startFullPanel } from '../fixture/fullPanel';
import { expectRecorded } from './expectRecorded';

describeEachEngine('a panel with all tables', (engine) => {
  let full: FullPanel;

  beforeAll(async () => {
    full = await startFullPanel(engine);
  });

  test('serves the recorded OpenAPI document', async () => {
    const { body } = await full.panel.get('/api/v1/openapi.php', full.token);
    expectRecorded('openapi.json', `${JSON.stringify(body.data.document, null, 2)}\n`);
  });
});
