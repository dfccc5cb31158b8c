import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenRecord } from '../../index';
import type { LayoutParts } from '../../section/ApiSectionOptions';
import { describeOneEngine } from '../fixture/databases';
import { AUTHOR } from '../fixture/panel';
import { plainSql } from '../fixture/plainSql';
import {
  hiddenFields,
  SECTION,
  type SectionPanel,
  shownToken,
  startSectionPanel,
  wordsOf,
} from '../fixture/section/sectionPanel';
import { until } from '../fixture/until';
import '../fixture/tryAgain';

type Form = readonly [page: string, action: string, fields: Readonly<Record<string, string>>];

/** Receives what each COMMIT returns, with its number, and returns or throws what knex gets. */
type Answer = (result: unknown, commits: number) => unknown;

/** Opens the form, then lets `answer` answer each COMMIT, sends the form, and reads the answer until it ends. */
async function sendWith(
  { database, panel, get }: SectionPanel,
  [page, action, fields]: Form,
  { answer, seen, signal }: { answer: Answer; seen?: (part: string) => Promise<void>; signal?: AbortSignal },
) {
  const hidden = hiddenFields((await get(page)).text, action);
  const { client } = database.knex;
  const query = client._query;
  let commits = 0;
  client._query = async (connection: unknown, sent: { readonly sql: string }) => {
    const result = await query.call(client, connection, sent);
    if (plainSql(sent.sql) !== 'COMMIT') return result;
    commits += 1;
    return answer(result, commits);
  };
  try {
    const response = await fetch(`${panel.url}${SECTION}/${action}`, {
      method: 'POST',
      body: new URLSearchParams([...hidden, ...Object.entries(fields)]),
      headers: { Cookie: 'admin=ann', 'Sec-Fetch-Site': 'same-origin' },
      ...(signal && { signal }),
    });
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      await seen?.(text);
    }
    return { status: response.status, words: wordsOf(text), token: shownToken(text) };
  } finally {
    client._query = query;
  }
}

const ROTATION = { grace: '0', expiry: 'keep' };

const rotationOf = ({ id }: TokenRecord): Form => [`tokens/${id}/rotate`, `tokens/${id}/rotate`, ROTATION];

/** The first answer to COMMIT is lost. */
const loseFirst: Answer = (result, commits) => {
  if (commits === 1) throw new TypeError('no answer');
  return result;
};

describeOneEngine('A new token that the API section cannot show', (engine) => {
  let section: SectionPanel;
  let old: TokenRecord;

  const start = async (deadlineMs: number) => {
    // For such an address, the page of a new token reads a setting.
    section = await startSectionPanel(engine, { deadlineMs }, { apiUrl: 'http://panel.example' });
    old = (await section.panel.api.tokens.create({ name: 'old', scopes: ['*'] }, AUTHOR)).record;
  };

  const FORMS: readonly (readonly [string, () => Form])[] = [
    ['a creation', () => ['tokens/review?name=new&scope=*&expiry=never', 'tokens', {}]],
    [
      'a duplication',
      () => [`tokens/review?name=new&scope=*&expiry=never&duplicate_of=${old.id}`, 'tokens', {}],
    ],
    ['a rotation', () => rotationOf(old)],
  ];

  /** Expects that every token but the old one is revoked, and that the old one did not change. */
  const expectNothingDone = async () => {
    const { tokens } = section.panel.api;
    const others = async () => (await tokens.list()).filter(({ id }) => id !== old.id);
    await until(async () => (await others()).every(({ state }) => state === 'revoked'));
    expect(await tokens.get(old.id)).toEqual({ ...old, readAt: expect.any(Number) });
    expect((await section.panel.api.audit.list({ tokenId: old.id })).map(({ action }) => action)).toEqual([
      'token.created',
    ]);
  };

  test.each(FORMS)('because the answer to COMMIT is lost leaves nothing of %s', async (_name, form) => {
    await start(30_000);
    const { status, words, token } = await sendWith(section, form(), { answer: loseFirst });
    expect([status, token]).toEqual([503, undefined]);
    expect(words).toContain('so no new token could be shown. If one was created, it is being revoked');
    await expectNothingDone();
  });

  /** Sends the form to a panel that prepares the page of the new token for longer than its deadline. */
  const sendTooLate = async (form: Form) => {
    const { settings } = section.panel.api;
    const get = settings.get.bind(settings) as (name: string) => Promise<never>;
    jest.spyOn(settings, 'get').mockImplementation(async (name) => {
      if (name === 'httpsRequired') await sleep(900);
      return get(name);
    });
    const answer: Answer = (result, commits) => (commits === 1 ? sleep(500, result) : result);
    const { status, words, token } = await sendWith(section, form, { answer });
    jest.restoreAllMocks();
    expect([status, token]).toEqual([503, undefined]);
    expect(words).toContain('so no new token could be shown. If one was created, it is being revoked');
  };

  /** The log lines whose message contains this. */
  const logged = (part: string) => section.panel.log.filter(({ message }) => message.includes(part));

  test.each(FORMS)('because the page is too late leaves nothing of %s', async (_name, form) => {
    await start(1000);
    await sendTooLate(form());
    await expectNothingDone();
    expect(await section.panel.api.tokens.list()).toHaveLength(2);
  });

  test('is revoked as soon as the database answers, and the log names it until then', async () => {
    await start(1000);
    const { client } = section.database.knex;
    const query = client._query;
    let failures = 0;
    client._query = async (connection: unknown, sent: { readonly sql: string }) => {
      if (failures > 1 || !/^update .*revoked_at/i.test(plainSql(sent.sql)))
        return query.call(client, connection, sent);
      failures += 1;
      throw Object.assign(new Error('down'), { code: 'ECONNRESET' });
    };
    await sendTooLate(rotationOf(old));
    await expectNothingDone();
    const [{ id } = { id: 0 }] = await section.panel.api.tokens.list();
    await until(() => logged('unseen').length > 1);
    expect(logged('unseen')).toEqual([
      {
        level: 'warn',
        message: 'panel-api unseen token not revoked',
        fields: { actor: 'ann', token_id: id, cause: 'ECONNRESET', cause_query: 'tokens.revoke' },
      },
      {
        level: 'info',
        message: 'panel-api unseen token revoked',
        fields: { actor: 'ann', token_id: id },
      },
    ]);
  });

  test('is named by the log as unknown if that is known only after the page', async () => {
    await start(1000);
    const { client } = section.database.knex;
    const query = client._query;
    const answer: Answer = async () => {
      client._query = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNRESET' }));
      await sleep(500);
      throw new TypeError('no answer');
    };
    const { status, words } = await sendWith(section, rotationOf(old), { answer });
    expect([status, words]).toEqual([503, expect.stringContaining('it is being revoked')]);
    client._query = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNRESET' }));
    await until(() => logged('section failed').length > 1);
    client._query = query;
    expect(logged('section failed').map(({ fields }) => fields.code)).toEqual([
      'token_unshown',
      'token_uncertain',
    ]);
  });

  test.each(FORMS)('because the browser has gone leaves nothing of %s', async (_name, form) => {
    await start(30_000);
    const leave = new AbortController();
    const answer: Answer = (result, commits) => {
      if (commits === 1) leave.abort();
      return commits === 1 ? sleep(200, result) : result;
    };
    const sending = sendWith(section, form(), { answer, signal: leave.signal });
    await expect(sending).rejects.toThrow('aborted');
    await until(async () => (await section.panel.api.tokens.list())[0]?.state === 'revoked');
    await expectNothingDone();
  });
});

describeOneEngine('A rotation in the API section', (engine) => {
  let section: SectionPanel;
  let old: TokenRecord;
  let beforeShown: () => Promise<unknown>;

  beforeEach(async () => {
    beforeShown = async () => undefined;
    const layout = async ({ content }: LayoutParts) => {
      if (shownToken(content)) await beforeShown();
      return content;
    };
    section = await startSectionPanel(engine, {}, { layout });
    old = (await section.panel.api.tokens.create({ name: 'old', scopes: ['*'] }, AUTHOR)).record;
  });

  const statusFor = async (token = '') => (await section.panel.get('/api/v1/me.php', token)).status;

  test('ends the old token only when the new one was sent', async () => {
    const { tokens } = section.panel.api;
    let show = () => {};
    const shown = new Promise<string>((resolve) => {
      show = () => resolve('shown');
    });
    const before: string[] = [];
    const { client } = section.database.knex;
    const query = client._query;
    client._query = async (connection: unknown, sent: { readonly sql: string }) => {
      if (/^update .*rotated_at/i.test(plainSql(sent.sql)))
        before.push(await Promise.race([shown, sleep(3000, 'nothing')]));
      return query.call(client, connection, sent);
    };
    const { token, words } = await sendWith(section, rotationOf(old), {
      answer: (result) => result,
      async seen(text) {
        if (shownToken(text) && !wordsOf(text).includes('replaces')) show();
      },
    });
    client._query = query;
    expect(before).toEqual(['shown']);
    expect(words).toContain('which is no longer valid');
    expect(await statusFor(token)).toBe(200);
    expect(await tokens.get(old.id)).toMatchObject({ state: 'expired', rotatedAt: expect.any(Number) });
  });

  test('ends the old token although the answer to that COMMIT is lost', async () => {
    const { tokens, audit } = section.panel.api;
    const { token, words } = await sendWith(section, rotationOf(old), {
      answer(result, commits) {
        if (commits === 2) throw new TypeError('no answer');
        return result;
      },
    });
    expect(words).toContain('which is no longer valid');
    expect(await statusFor(token)).toBe(200);
    expect(await tokens.get(old.id)).toMatchObject({ state: 'expired' });
    expect(await audit.list({ action: 'token.rotated' })).toHaveLength(1);
  });

  test('says that the new token is revoked if the old one was changed before it ended', async () => {
    const { tokens } = section.panel.api;
    beforeShown = () => tokens.update(old.id, { note: 'changed' }, AUTHOR);
    const { token, words } = await sendWith(section, rotationOf(old), { answer: (result) => result });
    expect(words).toContain('so it was not replaced');
    expect(await statusFor(token)).toBe(401);
    expect(await tokens.get(old.id)).toMatchObject({ state: 'active', rotatedAt: null });
  });

  test('says that it is unknown whether the old token was ended if the database fails then', async () => {
    const { panel, database } = section;
    const { client } = database.knex;
    const query = client._query;
    const { token, words } = await sendWith(section, rotationOf(old), {
      answer(result, commits) {
        if (commits === 2)
          client._query = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNRESET' }));
        if (commits === 2) throw new TypeError('no answer');
        return result;
      },
    });
    client._query = query;
    expect(words).toContain('is valid, but it is unknown whether token');
    expect(await statusFor(token)).toBe(200);
    const lines = panel.log.filter(({ message }) => message === 'panel-api rotation not ended');
    expect(lines.map(({ fields }) => [fields?.token_id, fields?.cause])).toEqual([
      [old.id, 'COMMIT_UNKNOWN'],
    ]);
  });
});
