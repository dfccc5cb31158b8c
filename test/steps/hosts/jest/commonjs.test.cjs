const { startPanel, useApi } = require('./panel.cjs');

const expected = [200, 'shop.example', 200, true, 'token_revoked'];

test('a panel mounts the package', async () => {
  const koaPanelApi = require('koa-panel-api');
  const panel = await startPanel(koaPanelApi);
  expect(await useApi(panel, koaPanelApi.InvalidInput)).toEqual(expected);
  expect(panel.lines.filter((line) => line !== 'panel-api request')).toEqual([]);
  await panel.close();
});

test('a panel mounts two copies of the package', async () => {
  const copies = [];
  // The root would load the section at its first call, when Jest no longer isolates modules.
  const load = () => copies.push({ ...require('koa-panel-api'), ...require('koa-panel-api/section') });
  for (let copy = 0; copy < 2; copy += 1) jest.isolateModules(load);
  expect(copies[0].createPanelApi).not.toBe(copies[1].createPanelApi);
  for (const panel of await Promise.all(copies.map(startPanel))) {
    const { InvalidInput } = copies.shift();
    expect(await useApi(panel, InvalidInput)).toEqual(expected);
    await panel.close();
  }
});
