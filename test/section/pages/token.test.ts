import type { TokenRequest } from '../../../lib/tokens/TokenRecord';
import { describeOneEngine } from '../../fixture/databases';
import { JUST_NOW } from '../../fixture/justNow';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeOneEngine('The page of a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = (request: Partial<TokenRequest> = {}) =>
    section.panel.api.tokens.create(
      { name: 'Billing', scopes: ['domains.read'], expiresInSeconds: 12 * DAY + 60, ...request },
      AUTHOR,
    );
  const page = async (path: string, admin?: string) =>
    (await section.get(`tokens/${path}`, admin === undefined ? {} : { admin })).text;

  /** The part of the page with this class, as words. */
  const part = (text: string, name: string) =>
    wordsOf(new RegExp(`class="${name}"[^>]*>([\\s\\S]*?)</(?:p|div|dl)>`).exec(text)?.[1] ?? '').trim();
  const actions = (text: string) => part(text, 'actions').split(' ').filter(Boolean);
  /** What the page says was done. */
  const notice = (text: string) => wordsOf(/role="status">([\s\S]*?)<\/div>/.exec(text)?.[1] ?? '').trim();

  test('says in its head which token it is, in which state, and what should be looked at', async () => {
    const { record } = await create({ scopes: ['*'] });
    const created = { created_at: record.createdAt - 30 * DAY };
    await section.database.knex('panel_api_tokens').where({ id: record.id }).update(created);
    expect(part(await page(`${record.id}`), 'subtitle')).toBe(
      `#${record.id} active , expires in 12 days expires soon every scope`,
    );
    await section.panel.api.tokens.revoke(record.id, { actor: 'ben', origin: 'cli' });
    expect(part(await page(`${record.id}`), 'subtitle')).toMatch(/^#\d+ revoked .* by ben$/);
  });

  test('shows the requests of the day by the clock of the database', async () => {
    const { token, record } = await create({ scopes: ['profile.read'] });
    await section.panel.get('/api/v1/me.php', token);
    await section.panel.api.usage.flush();
    const now = Date.now;
    Date.now = () => now() - DAY * 1000;
    try {
      expect(await page(`${record.id}`)).toMatch(/class="day" role="img" aria-label="[^"]*\b1 request/);
    } finally {
      Date.now = now;
    }
  });

  test('offers what can be done with the token in its state', async () => {
    const { tokens } = section.panel.api;
    const { record } = await create();
    expect(actions(await page(`${record.id}`))).toEqual(['Extend', 'Edit', 'Rotate', 'Duplicate', 'Revoke']);
    const { record: everlasting } = await tokens.create(
      { name: 'x', scopes: ['*'], expiresAt: null },
      AUTHOR,
    );
    expect(actions(await page(`${everlasting.id}`))).toEqual(['Edit', 'Rotate', 'Duplicate', 'Revoke']);
    await tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR);
    expect(actions(await page(`${record.id}`))).toEqual(['Extend', 'Edit', 'Duplicate', 'Revoke']);
    await tokens.revoke(record.id, AUTHOR);
    expect(actions(await page(`${record.id}`))).toEqual(['Duplicate']);
  });

  test('has the facts, with each time relative and exact', async () => {
    const { token, record } = await create({
      note: 'For the shop.\nAsk Ben.',
      allowedAddresses: ['127.0.0.0/8', '::/0'],
      rateLimit: 1000,
    });
    const idle = part(await page(`${record.id}`), 'facts');
    expect(idle).toContain('Last used never');
    expect(idle).toContain('Note For the shop. Ask Ben.');
    expect(idle).toContain('Allowed addresses 127.0.0.0/8 ::/0');
    expect(idle).toContain('Rate limit 1,000');
    expect(idle).toMatch(/Expires in 12 days \d{4}-\d\d-\d\d \d\d:\d\d /);
    expect(idle).toMatch(/Created .* \d{4}-\d\d-\d\d \d\d:\d\d by ann/);
    await section.panel.get('/api/v1/domains.php', token);
    expect(part(await page(`${record.id}`), 'facts')).toMatch(/Last used .* from (?:127\.0\.0\.1|::1)/);
  });

  test('names the token of the lineage that is still valid, after this one has ended', async () => {
    const { tokens } = section.panel.api;
    const { record } = await create();
    const rotated = await tokens.rotate(record.id, { graceSeconds: 300 }, AUTHOR);
    const words = `Token #${rotated!.record.id} of the same lineage is still valid.`;
    expect(wordsOf(await page(`${record.id}/revoke`))).toContain(
      `Others that stay valid, each of the lineage of a token above: ${record.name} #${rotated!.record.id}`,
    );
    expect(wordsOf(await page(`${record.id}`))).not.toContain(words);
    await tokens.revoke(record.id, AUTHOR);
    expect(wordsOf(await page(`${record.id}`))).toContain(words);
    await tokens.revoke(rotated!.record.id, AUTHOR);
    expect(wordsOf(await page(`${record.id}`))).not.toContain('of the same lineage is still valid');
  });

  test('says before a revocation when and from where the token was last used', async () => {
    const { token, record } = await create();
    await section.panel.get('/api/v1/domains.php', token);
    const path = `tokens/${record.id}/revoke`;
    expect(wordsOf((await section.get(path)).text)).toMatch(
      new RegExp(`Requests today .*… {1,2}${JUST_NOW} .* from (?:127\\.0\\.0\\.1|::1) {1,2}1 `),
    );
    const { text } = await section.follow(path, await section.send(path, path));
    expect(notice(text)).toBe(`1 token is revoked: ${record.name}.`);
  });
});
