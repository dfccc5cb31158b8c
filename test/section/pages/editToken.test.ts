import type { TokenRequest } from '../../../lib/tokens/TokenRecord';
import { describeOneEngine } from '../../fixture/databases';
import { JUST_NOW } from '../../fixture/justNow';
import {
  type Fields,
  hiddenFields,
  SECTION,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeOneEngine('The page that edits a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = async (request: Partial<TokenRequest> = {}) =>
    (
      await section.panel.api.tokens.create(
        {
          name: 'Billing',
          note: 'For the shop.\nAsk Ben.',
          scopes: ['domains.read', 'email.read'],
          allowedAddresses: ['192.0.2.0/24'],
          rateLimit: 50,
          expiresInSeconds: 12 * DAY,
          ...request,
        },
        AUTHOR,
      )
    ).record;
  const get = async (id: number) => (await section.panel.api.tokens.get(id))!;
  const page = async (id: number) => (await section.get(`tokens/${id}/edit`)).text;
  const changes = async (id: number) =>
    (await section.panel.api.audit.list({ tokenId: id })).filter(({ action }) => action === 'token.changed');
  /** What the form of `create` contains, as a browser sends it. */
  const FORM = {
    name: 'Billing',
    note: 'For the shop.\r\nAsk Ben.',
    scope: ['domains.read', 'email.read'],
    account: '',
    addresses: '192.0.2.0/24',
    rate_limit: '50',
    expiry: 'keep',
    expiry_date: '',
  };
  /** Opens the form, fills in these fields and sends it. */
  const edit = (id: number, fields: Fields, init = {}) =>
    section.send(`tokens/${id}/edit`, `tokens/${id}/edit`, { ...FORM, ...fields }, init);
  /** Sends the form on this page, with these fields. */
  const sendOn = async (id: number, text: string, fields: Fields) => {
    const body = new URLSearchParams(hiddenFields(text, `tokens/${id}/edit`));
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name);
      for (const one of [value].flat()) body.append(name, one);
    }
    const headers = { Cookie: 'admin=ann', 'Sec-Fetch-Site': 'same-origin' };
    const url = `${section.panel.url}${SECTION}/tokens/${id}/edit`;
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', headers, body });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const saved = (id: number) => [303, expect.stringMatching(`^\\.\\./\\.\\./tokens/${id}\\?done=[\\w-]+$`)];
  const outcome = ({ status, headers }: Awaited<ReturnType<typeof edit>>) => [
    status,
    headers.get('Location'),
  ];
  /** The rows of the tables of changes: what, from, to. */
  const changeRows = (text: string) =>
    [...text.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([, row = '']) => wordsOf(row).trim());

  test('is filled in with the values of the token', async () => {
    const { id } = await create();
    const text = await page(id);
    expect(text).toContain('value="Billing"');
    expect(text).toContain('For the shop.\nAsk Ben.</textarea>');
    expect(
      [...text.matchAll(/name="scope" value="([^"]*)"[^>]* checked/g)].map(([, scope]) => scope),
    ).toEqual(expect.arrayContaining(['domains.read', 'email.read']));
    expect(text).toContain('>192.0.2.0/24</textarea>');
    expect(text).toMatch(/value="50"/);
    expect(wordsOf(text)).toMatch(/As now: in 1[12] days/);
  });

  test('saves changes that only narrow the token at once, and its page says which', async () => {
    const { id } = await create();
    const answer = await edit(id, {
      name: 'Invoices',
      note: '',
      scope: 'domains.read',
      rate_limit: '20',
      expiry: '7',
    });
    expect(outcome(answer)).toEqual(saved(id));
    const after = await get(id);
    expect(after).toMatchObject({ name: 'Invoices', note: null, scopes: ['domains.read'], rateLimit: 20 });
    expect(after.expiresAt! - after.readAt).toBeLessThanOrEqual(7 * DAY);
    const { text } = await section.follow(`tokens/${id}/edit`, answer);
    expect(changeRows(/role="status">[\s\S]*?<\/div>/.exec(text)?.[0] ?? '')).toEqual([
      'name Billing Invoices',
      'note For the shop. Ask Ben. none',
      'scopes domains.read email.read domains.read',
      'rate limit 50 20',
      expect.stringMatching(/^expires in 1[12] days .* in [67] days/),
    ]);
    expect((await changes(id))[0]).toMatchObject({ actor: 'ann', origin: 'api-section' });
  });

  test.each<[string, Fields, string]>([
    ['another scope', { scope: ['domains.read', 'ssl.read', 'email.read'] }, 'scopes more than now'],
    ['more addresses', { addresses: '192.0.0.0/16' }, 'allowed addresses more than now'],
    ['any address', { addresses: '' }, 'allowed addresses more than now'],
    ['a higher limit', { rate_limit: '51' }, 'rate limit more than now'],
    ['the general limit', { rate_limit: '' }, 'rate limit more than now'],
    ['a later expiry', { expiry: '30' }, 'expires more than now'],
    ['no expiry', { expiry: 'never' }, 'expires more than now'],
  ])('asks for a review before it gives the token %s, and saves after it', async (_what, fields, row) => {
    const record = await create();
    const review = await edit(record.id, fields);
    expect([review.status, wordsOf(review.text).includes('give the token more rights')]).toEqual([200, true]);
    expect(changeRows(review.text)).toEqual([expect.stringContaining(row)]);
    expect((await get(record.id)).version).toBe(record.version);
    expect(outcome(await sendOn(record.id, review.text, { reviewed: 'yes' }))).toEqual(saved(record.id));
    const [entry] = await changes(record.id);
    expect(Object.keys(entry!.details)).toHaveLength(2);
  });

  test('leads from the review back to the form with what was typed', async () => {
    const { id } = await create();
    const review = await edit(id, { name: 'Typed', expiry: 'never' });
    const { status, text } = await sendOn(id, review.text, { back: 'yes' });
    expect([status, text.includes('value="Typed"'), /value="never" checked/.test(text)]).toEqual([
      200,
      true,
      true,
    ]);
    expect(await changes(id)).toEqual([]);
  });

  test('applies a preset to the form, without saving', async () => {
    const { id } = await create();
    const { status, text } = await edit(id, { name: 'Typed', preset: 'backup-audit' });
    const ticked = [...text.matchAll(/name="scope" value="([^"]*)" checked/g)].map(([, scope]) => scope);
    expect([status, ticked.toSorted(), text.includes('value="Typed"')]).toEqual([
      200,
      ['backups.read', 'cron.read', 'jobs.read', 'profile.read'],
      true,
    ]);
    expect(await changes(id)).toEqual([]);
  });

  test('says so if nothing was changed', async () => {
    const record = await create();
    const answer = await edit(record.id, {});
    expect(outcome(answer)).toEqual(saved(record.id));
    expect((await get(record.id)).version).toBe(record.version);
    const { text } = await section.follow(`tokens/${record.id}/edit`, answer);
    expect(wordsOf(text)).toContain('Nothing was changed.');
  });

  test.each<[string, Fields, string]>([
    ['an empty name', { name: ' ' }, 'Still missing: name'],
    ['no scope', { scope: [] }, 'Still missing: scopes'],
    ['a wrong address', { addresses: '192.0.2.300' }, '192.0.2.300'],
    ['a wrong limit', { rate_limit: 'many' }, 'rate limit'],
    ['an expiry in the past', { expiry: 'date', expiry_date: '2000-01-01' }, 'in the future'],
  ])('refuses %s with a sentence, and keeps what was typed', async (_what, fields, sentence) => {
    const record = await create();
    const { status, text } = await edit(record.id, { note: 'Kept as typed.', ...fields });
    expect([status, text.includes('Kept as typed.</textarea>')]).toEqual([400, true]);
    expect(wordsOf(/role="alert">([\s\S]*?)<\/p>/.exec(text)?.[1] ?? '')).toContain(sentence);
    expect((await get(record.id)).version).toBe(record.version);
  });

  test('overwrites no edit of another administrator: it says whose that was, and keeps what was typed', async () => {
    const record = await create();
    const form = await page(record.id);
    const ben = { actor: 'ben', origin: 'cli' } as const;
    await section.panel.api.tokens.update(record.id, { scopes: ['domains.read'], rateLimit: 10 }, ben);
    await section.panel.api.tokens.extend(record.id, { expiresAt: record.expiresAt! + DAY }, ben);
    const stale = await sendOn(record.id, form, { ...FORM, name: 'Typed by ann' });
    expect(stale.status).toBe(409);
    expect(await get(record.id)).toMatchObject({ name: 'Billing', rateLimit: 10 });
    expect(wordsOf(stale.text)).toMatch(
      new RegExp(`Nothing was saved, because ben changed the token meanwhile \\( ?${JUST_NOW} ?\\)`),
    );
    expect(stale.text).toContain(`href="../../tokens/${record.id}">Look at the token`);
    expect(stale.text).toContain('value="Typed by ann"');
    // What the form still has would give the token more rights than the other change left it.
    const review = await sendOn(record.id, stale.text, { ...FORM, name: 'Typed by ann' });
    expect(changeRows(review.text)).toEqual([
      'name Billing Typed by ann',
      'scopes more than now domains.read domains.read email.read',
      'rate limit more than now 10 50',
    ]);
    const again = { ...FORM, name: 'Typed by ann', scope: 'domains.read', rate_limit: '10' };
    expect(outcome(await sendOn(record.id, stale.text, again))).toEqual(saved(record.id));
    expect(await get(record.id)).toMatchObject({
      name: 'Typed by ann',
      scopes: ['domains.read'],
      rateLimit: 10,
    });
  });

  test('notices an edit that comes between the review and its confirmation', async () => {
    const record = await create();
    const review = await edit(record.id, { expiry: 'never' });
    await section.panel.api.tokens.update(record.id, { name: 'Renamed' }, { actor: 'ben', origin: 'panel' });
    const { status, text } = await sendOn(record.id, review.text, { reviewed: 'yes' });
    expect([status, /value="never" checked/.test(text)]).toEqual([409, true]);
    expect(await get(record.id)).toMatchObject({ name: 'Renamed', expiresAt: record.expiresAt });
  });

  test('does not make the grace time longer if another administrator rotates the token meanwhile', async () => {
    const record = await create();
    const review = await edit(record.id, { expiry: '90' });
    const author = { actor: 'ben', origin: 'panel' } as const;
    const rotated = await section.panel.api.tokens.rotate(record.id, { graceSeconds: 3600 }, author);
    const { status, text } = await sendOn(record.id, review.text, { reviewed: 'yes' });
    expect([status, wordsOf(text).includes('ben changed the token')]).toEqual([409, true]);
    expect(await get(record.id)).toMatchObject({ expiresAt: rotated!.previous.expiresAt });
  });

  test('is only for an active token', async () => {
    const { id } = await create();
    const form = await page(id);
    await section.panel.api.tokens.revoke(id, AUTHOR);
    expect(outcome(await section.get(`tokens/${id}/edit`))).toEqual([303, `../../tokens/${id}`]);
    const { status, text } = await sendOn(id, form, { ...FORM, name: 'Too late' });
    expect([status, wordsOf(text).includes('no longer active')]).toEqual([409, true]);
    expect((await get(id)).name).toBe('Billing');
  });
});
