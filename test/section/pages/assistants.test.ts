import { createMcp } from '../../../index';
import { describeOneEngine } from '../../fixture/databases';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

const CLIENTS = ['Claude Code', 'Cursor', 'VS Code', 'Codex', 'Gemini CLI'];

describeOneEngine('The page about assistants', (engine) => {
  let section: SectionPanel;
  const page = async () => wordsOf((await section.get('assistants')).text);

  beforeAll(async () => {
    section = await startSectionPanel(engine, {}, { apiUrl: 'https://panel.example' });
  });

  test('says what the developer adds while the MCP server is not mounted, and is not in the navigation', async () => {
    expect(await page()).toContain('Its developer adds one with app.use(createMcp({ api }).routes())');
    expect((await section.get('')).text).not.toContain('href="assistants"');
  });

  test('has the switch, a link to a token for 30 days, and the lines for each client', async () => {
    createMcp({ api: section.panel.api, path: '/tools/mcp' });
    expect((await section.get('')).text).toContain('href="assistants"');
    const { text } = await section.get('assistants');
    const words = wordsOf(text);
    for (const client of CLIENTS) expect(words).toContain(client);
    expect(words).toContain('claude mcp add --transport http panel https://panel.example/tools/mcp');
    expect(text.match(/https:\/\/panel\.example\/tools\/mcp/g)).toHaveLength(6);
    const link = /href="(tokens\/new\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const form = new URLSearchParams(link.split('?')[1]);
    expect(form.getAll('scope')).toEqual([
      'profile.read',
      'domains.read',
      'websites.read',
      'databases.read',
      'ssl.read',
      'backups.read',
      'jobs.read',
      'cron.read',
      'services.read',
      'platform.read',
    ]);
    const filled = (await section.get(link)).text;
    expect(filled).toMatch(/value="Assistant"/);
    expect(filled).toMatch(/name="expiry" value="30" checked/);
  });

  test('switches the MCP server on and off, in the name of the administrator', async () => {
    createMcp({ api: section.panel.api });
    const { api } = section.panel;
    expect(await page()).toContain('The MCP server is off.');
    const on = await section.send('assistants', 'settings');
    expect((await section.follow('settings', on)).text).toContain('role="status">Saved:');
    expect(await page()).toContain('Assistants may read with a token.');
    expect(await api.settings.get('assistantsEnabled')).toBe(true);
    await section.send('assistants', 'settings');
    expect(await api.settings.get('assistantsEnabled')).toBe(false);
    const [entry] = await api.audit.list();
    expect(entry).toMatchObject({ action: 'settings.changed', actor: 'ann' });
  });

  test("has a switch that works while the panel's own switch of the API fails", async () => {
    const enabled = () => Promise.reject(new Error('no answer'));
    const own = await startSectionPanel(engine, { enabled });
    createMcp({ api: own.panel.api });
    expect((await own.get('assistants')).status).toBe(200);
    expect((await own.send('assistants', 'settings')).status).toBe(303);
    expect(await own.panel.api.settings.get('assistantsEnabled')).toBe(true);
  });
});
