import { type PanelDatabase, panelDatabase } from '../fixture/command/panelDatabase';

describe('panel-api openapi --server', () => {
  let database: PanelDatabase;

  beforeAll(async () => {
    database = await panelDatabase('sqlite');
  });

  test.each([
    ['HTTP://192.0.2.7:3000/hosting/', 'http://192.0.2.7:3000/hosting'],
    ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ])('%s prints the document with that address', async (given, url) => {
    expect((await database.json('openapi', '--server', given)).servers[0].url).toBe(url);
  });

  test.each([
    'panel.example',
    'ftp://panel.example',
    'https://root@panel.example',
    'https://panel.example?token=1',
    'https://panel.example/#',
    'https://{host}/',
    '',
  ])('refuses %j', async (given) => {
    const { code, stderr } = await database.run(['openapi', '--server', given]);
    expect([code, stderr]).toEqual([
      2,
      'The server must be an http or https URL without user name, password, query and fragment.\n',
    ]);
  });
});
