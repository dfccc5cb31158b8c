import type { TokenRequest } from '../../../lib/tokens/TokenRecord';
import { describeOneEngine } from '../../fixture/databases';
import { type SectionPanel, startSectionPanel } from '../../fixture/section/sectionPanel';

const AUTHOR = { actor: 'ann', origin: 'panel' } as const;
const DAY = 86_400;

describeOneEngine('The page that duplicates a token', (engine) => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel(engine);
  });

  const create = async (request: Partial<TokenRequest> = {}) =>
    (
      await section.panel.api.tokens.create(
        {
          name: 'Billing',
          note: 'For the shop.',
          scopes: ['domains.read', 'email.read'],
          accountId: '1',
          allowedAddresses: ['192.0.2.0/24'],
          rateLimit: 50,
          expiresInSeconds: 45 * DAY,
          ...request,
        },
        AUTHOR,
      )
    ).record;
  const page = async (id: number) => (await section.get(`tokens/${id}/duplicate`)).text;
  /** What the form would send. */
  const filledIn = (text: string) => {
    const values = (name: string, end: string) =>
      [...text.matchAll(new RegExp(`name="${name}" value="([^"]*)"${end}`, 'g'))].map(([, value]) => value);
    const area = (name: string) => new RegExp(`name="${name}"[^>]*>([^<]*)</textarea>`).exec(text)?.[1];
    return {
      scope: values('scope', '[^>]* checked'),
      expiry: values('expiry', ' checked'),
      name: /name="name"[^>]* value="([^"]*)"/.exec(text)?.[1],
      account: /name="account"[^>]* value="([^"]*)"/.exec(text)?.[1],
      rate_limit: /name="rate_limit"[^>]* value="([^"]*)"/.exec(text)?.[1],
      note: area('note'),
      addresses: area('addresses'),
    };
  };

  test('is the form of a new token, filled in with the values of this one and its lifetime', async () => {
    const { id } = await create();
    const text = await page(id);
    expect(filledIn(text)).toEqual({
      name: 'Billing (copy)',
      note: 'For the shop.',
      scope: expect.arrayContaining(['domains.read', 'email.read']),
      account: '1',
      addresses: '192.0.2.0/24',
      rate_limit: '50',
      expiry: ['45'],
    });
  });

  test('keeps the name of an ended token, which the new one replaces', async () => {
    const { id } = await create();
    await section.panel.api.tokens.revoke(id, AUTHOR);
    expect(filledIn(await page(id)).name).toBe('Billing');
  });

  test('offers the usual expiry for a token that a rotation has ended early', async () => {
    const { id } = await create();
    await section.panel.api.tokens.rotate(id, { graceSeconds: 300 }, AUTHOR);
    expect(filledIn(await page(id)).expiry).toEqual(filledIn((await section.get('tokens/new')).text).expiry);
  });

  test('has no form for a token that does not exist', async () => {
    expect((await section.get('tokens/999999/duplicate')).status).toBe(404);
  });
});
