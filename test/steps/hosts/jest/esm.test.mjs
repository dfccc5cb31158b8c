import { createApiSection, createPanelApi, InvalidInput } from 'koa-panel-api';
import { startPanel, useApi } from './panel.cjs';

test('a panel of ES modules mounts the package', async () => {
  const panel = await startPanel({ createPanelApi, createApiSection });
  expect(await useApi(panel, InvalidInput)).toEqual([200, 'shop.example', 200, true, 'token_revoked']);
  await panel.close();
});
