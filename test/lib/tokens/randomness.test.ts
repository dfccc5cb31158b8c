import crypto from 'node:crypto';
import { DatabaseFailure } from '../../../lib/database/DatabaseFailure';
import { AUTHOR } from '../../fixture/panel';
import { type SectionPanel, startSectionPanel, wordsOf } from '../../fixture/section/sectionPanel';

const MESSAGE = 'no randomness';

describe('Without randomness', () => {
  let site: SectionPanel;
  let id: number;

  beforeAll(async () => {
    site = await startSectionPanel('sqlite');
    ({ id } = (await site.panel.api.tokens.create({ name: 'first', scopes: ['*'] }, AUTHOR)).record);
  });

  async function withoutRandomness<T>(task: () => Promise<T>): Promise<T> {
    const failing = jest.spyOn(crypto, 'randomInt').mockImplementation(() => {
      throw Object.assign(new Error(MESSAGE), { code: 'ERR_OSSL' });
    });
    try {
      return await task();
    } finally {
      failing.mockRestore();
    }
  }

  afterEach(async () => {
    expect(await site.database.knex('panel_api_tokens').pluck('id')).toEqual([id]);
    expect(await site.database.knex('panel_api_audit_log').pluck('action')).toEqual(['token.created']);
  });

  test.each(['create', 'duplicate', 'rotate'] as const)(
    'tokens.%s rejects, but not as if the database had failed',
    async (change) => {
      const { tokens } = site.panel.api;
      const changes = {
        create: () => tokens.create({ name: 'second', scopes: ['*'] }, AUTHOR),
        duplicate: () => tokens.duplicate(id, {}, AUTHOR),
        rotate: () => tokens.rotate(id, { graceSeconds: 300 }, AUTHOR),
      };
      const error = await withoutRandomness(changes[change]).catch((thrown) => thrown);
      expect(error).toMatchObject({ message: MESSAGE });
      expect(error).not.toBeInstanceOf(DatabaseFailure);
    },
  );

  test('the section says that an error occurred, and nothing of the cause', async () => {
    const path = `tokens/${id}/rotate`;
    const { status, text } = await withoutRandomness(() =>
      site.send(path, path, { grace: '3600', expiry: 'keep' }),
    );
    expect(status).toBe(500);
    expect(wordsOf(text)).toContain('An internal error occurred.');
    expect(text).not.toContain(MESSAGE);
  });
});
