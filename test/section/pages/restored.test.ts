import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { dumpTables } from '../../fixture/dumpTables';
import { laterBy } from '../../fixture/laterBy';
import { AUTHOR, startPanel } from '../../fixture/panel';
import {
  hiddenFields,
  type SectionPanel,
  startSectionPanel,
  wordsOf,
} from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';
import { runDirectory } from '../../servers/serverUrl';

const LANGUAGES = { languages: { en: {}, de: {} } };
const GERMAN = { headers: { 'Accept-Language': 'de' } };
const RESTORED = 'restored';
const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;

describeOneEngine('After a restore, the API section', (engine) => {
  let section: SectionPanel;
  let tokens: Readonly<Record<'revoked' | 'narrowed' | 'kept', string>>;

  /** What the log has of the audit trail. */
  const lines = () =>
    section.panel.log
      .filter(({ message }) => message === 'panel-api audit')
      .map(({ level, message, fields }) => JSON.stringify({ level, message, ...fields }));

  /** Token 1 is revoked and token 2 is narrowed, then the database is set back. */
  const start = async (options = {}) => {
    section = await startSectionPanel(engine, options, LANGUAGES);
    const { tokens: all } = section.panel.api;
    const create = async (name: string) =>
      (await all.create({ name, scopes: ['profile.read', 'email.read'], expiresAt: null }, AUTHOR)).token;
    tokens = {
      revoked: await create('<b>Revoked'),
      narrowed: await create('Narrowed'),
      kept: await create('Kept'),
    };
    const restore = await dumpTables(section.database);
    await all.revoke(1, { actor: '<i>anna', origin: 'panel' });
    await all.update(2, { scopes: ['email.read'] }, AUTHOR);
    return restore;
  };
  const startRestored = async (options = {}) => (await start(options))();

  const answers = async () => {
    const all = Object.values(tokens).map((token) => section.panel.get('/api/v1/me.php', token));
    return (await Promise.all(all)).map(({ status }) => status);
  };
  const confirm = async (text: string, init = {}) => {
    const answer = await section.send(
      RESTORED,
      RESTORED,
      Object.fromEntries(hiddenFields(text, RESTORED).filter(([name]) => name !== 'form_token')),
      init,
    );
    expect(answer.status).toBe(303);
    return wordsOf((await section.follow(RESTORED, answer, init)).text);
  };

  test('says so on the overview until an administrator has dealt with it', async () => {
    const restore = await start();
    const overview = async (init = {}) => (await section.get('', init)).text;
    expect(wordsOf(await overview())).not.toContain('older');
    laterBy(61_000);
    await answers();
    await restore();
    laterBy(61_000);
    await answers();
    const text = await overview();
    expect(wordsOf(text)).toMatch(
      new RegExp(`The database is older than the API remembers \\( ${TIME} ; known: ${TIME} \\)\\.`),
    );
    expect(text).toContain('<a href="restored">See what is to be done</a>');
    expect(wordsOf(await overview(GERMAN))).toMatch(
      new RegExp(`Die Datenbank ist älter, als die API weiß \\( ${TIME} ; bekannt: ${TIME} \\)\\.`),
    );
    expect(wordsOf((await section.get(RESTORED)).text)).toContain('The database is older');
    const plan = await section.send(RESTORED, RESTORED, { lines: lines().join('\n') });
    expect(await confirm(plan.text)).not.toContain('older');
  });

  test('shows what pasted lines call for, and does it when that is confirmed', async () => {
    await startRestored();
    const page = (await section.get(RESTORED)).text;
    expect(page).toContain('<textarea id="lines" name="lines"');
    expect(page).not.toContain('journal');
    const { status, text } = await section.send(RESTORED, RESTORED, {
      lines: `npm start\r\n${lines().join('\r\n')}\r\n{"message":"panel-api audit","inst`,
    });
    expect(status).toBe(200);
    const words = wordsOf(text);
    expect(words).toMatch(new RegExp(`${TIME} <i>anna revoked a token #1 <b>Revoked`));
    expect(words).toMatch(/<b>Revoked #1 \S.*? revoke /);
    expect(words).toMatch(/Narrowed #2 \S.*? narrow /);
    expect(words).not.toContain('Kept');
    expect(words).toContain('Lines that are cut, so that what they say is unknown: 1.');
    expect(text).not.toMatch(/<b>Revoked|<i>anna/);
    expect(await answers()).toEqual([200, 200, 200]);
    expect(await confirm(text)).toContain('The restore is dealt with: 2 tokens were ended or narrowed.');
    expect(await answers()).toEqual([401, 403, 200]);
    const [entry] = await section.panel.api.audit.list({ limit: 1 });
    expect(entry).toMatchObject({
      action: 'database.restored',
      actor: 'ann',
      origin: 'api-section',
      details: { entries: '4-5', revoked: 1, narrowed: 1 },
    });
    const again = wordsOf((await section.send(RESTORED, RESTORED, { lines: lines().join('\n') })).text);
    expect(again).toContain('No token is to be ended.');
    expect(again).toContain('Write that the restore is dealt with');
  });

  test('says it in German', async () => {
    await startRestored();
    expect(wordsOf((await section.get(RESTORED, GERMAN)).text)).toContain(
      'Nach einer Wiederherstellung der Datenbank',
    );
    const sent = { lines: lines().join('\n') };
    const { text } = await section.send(RESTORED, RESTORED, sent, GERMAN);
    for (const action of [/Revoked #1 nie widerrufen /, /Narrowed #2 nie einschränken /])
      expect(wordsOf(text)).toMatch(action);
    expect(await confirm(text, GERMAN)).toContain(
      'Die Wiederherstellung ist erledigt: 2 Tokens wurden beendet oder eingeschränkt.',
    );
  });

  test('takes the journal if the fields are empty', async () => {
    const journal = join(runDirectory(), `journal-section-${engine}-${process.pid}`);
    await startRestored({ journal });
    await until(async () => {
      const { text } = await section.send(RESTORED, RESTORED);
      return wordsOf(text).includes('Narrowed #2');
    });
    expect(wordsOf((await section.get(RESTORED)).text)).toContain('The panel keeps a journal');
    await confirm((await section.send(RESTORED, RESTORED)).text);
    expect(await answers()).toEqual([401, 403, 200]);
  });

  test('shows the plan again if it is another one when it is confirmed', async () => {
    await startRestored();
    const { text } = await section.send(RESTORED, RESTORED, { lines: lines().join('\n') });
    await section.panel.api.tokens.revoke(1, AUTHOR);
    const fields = hiddenFields(text, RESTORED).filter(([name]) => name !== 'form_token');
    const again = await section.send(RESTORED, RESTORED, Object.fromEntries(fields));
    expect([again.status, wordsOf(again.text)]).toEqual([200, expect.stringContaining('End 1 token again')]);
    expect(await answers()).toEqual([401, 200, 200]);
    expect(await confirm(again.text)).toContain('1 token was ended or narrowed.');
  });

  test('leaves a large journal to the command', async () => {
    const journal = join(runDirectory(), `journal-large-${engine}-${process.pid}`);
    writeFileSync(journal, '');
    truncateSync(journal, 2 ** 24 + 1);
    await startRestored({ journal });
    const { status, text } = await section.send(RESTORED, RESTORED);
    expect([status, wordsOf(text)]).toEqual([400, expect.stringContaining('use panel-api restored.')]);
  });

  test('revokes without a log what existed at the time of the dump, except what is kept', async () => {
    await startRestored();
    const { createdAt } = (await section.panel.api.tokens.get(1))!;
    const since = new Date((createdAt + 3600) * 1000).toISOString();
    const { text } = await section.send(RESTORED, RESTORED, { since, keep: '2, 3' });
    expect(wordsOf(text)).toMatch(/Revoked #1 \S.*? revoke /);
    expect(wordsOf(text)).not.toMatch(/Narrowed|Kept/);
    expect(await confirm(text)).toContain('The restore is dealt with: 1 token was ended or narrowed.');
    expect(await answers()).toEqual([401, 200, 200]);
  });

  test.each<[Readonly<Record<string, string>>, string, string]>([
    [{}, 'There is no journal: give the lines of a log.', 'Nötig sind Zeilen'],
    [{ lines: 'npm start' }, 'The log has no entry of the audit trail.', 'Nötig sind Zeilen'],
    [{ since: 'yesterday' }, 'The time of the dump is no date and time.', 'Der Zeitpunkt der Sicherung ist'],
    [{ since: '2020-01-01', keep: '7' }, 'Token 7 is not active, or was', 'Behalten werden nur'],
    [{ since: '2020-01-01', keep: 'x' }, 'The ids of tokens are whole numbers.', 'Behalten werden nur'],
    [{ lines: 'npm start', since: '2020-01-01' }, 'Use either a log or the time', 'und er steht an der'],
    [{ lines: 'npm start', keep: '1' }, 'Tokens are kept only with the time', 'Behalten werden nur'],
  ])('refuses %j, with what was typed in its fields', async (fields, sentence, german) => {
    await startRestored();
    const { status, text } = await section.send(RESTORED, RESTORED, fields);
    expect([status, wordsOf(text)]).toEqual([400, expect.stringContaining(sentence)]);
    for (const value of Object.values(fields)) expect(text).toContain(value);
    expect(hiddenFields(text, RESTORED).map(([name]) => name)).toEqual(['form_token']);
    const translated = await section.send(RESTORED, RESTORED, fields, GERMAN);
    expect(wordsOf(translated.text)).toContain(german);
    expect(await answers()).toEqual([200, 200, 200]);
  });
});

describeOneEngine('On a database of another installation, the API section', (engine) => {
  let database: TestDatabase;
  let section: SectionPanel;
  let token: string;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const original = await startPanel({ db: database.knex, installation: 'panel<b>.example' });
    token = await original.token();
    expect((await original.get('/api/v1/me.php', token)).status).toBe(200);
    section = await startSectionPanel(engine, { installation: 'staging.example' }, LANGUAGES, database);
  });

  const answered = async () => (await section.panel.get('/api/v1/me.php', token)).status;
  const choose = async (answer: string, init = {}) => {
    const sent = await section.send('', 'copy', { answer }, init);
    expect(sent.status).toBe(303);
    return wordsOf((await section.follow('copy', sent, init)).text);
  };

  /** Answers the question, and the one that the next page asks. */
  const confirmCopy = async (init = {}) => {
    const asked = await section.send('', 'copy', { answer: 'copy' }, init);
    expect([asked.status, await section.panel.api.tokens.get(1)]).toMatchObject([200, { state: 'active' }]);
    const fields = hiddenFields(asked.text, 'copy').filter(([name]) => name !== 'form_token');
    const sent = await section.send('', 'copy', Object.fromEntries(fields), init);
    expect(sent.status).toBe(303);
    return wordsOf((await section.follow('copy', sent, init)).text);
  };

  test.each(['copy', 'moved'])('does nothing for the answer %j if another one was given', async (answer) => {
    const { form_token } = Object.fromEntries(hiddenFields((await section.get('')).text, 'copy'));
    await choose('moved');
    const fields = { form_token: form_token!, answer, confirmed: 'yes' };
    const sent = await section.send('restored', 'copy', fields);
    expect(wordsOf((await section.follow('copy', sent)).text)).toContain('Nothing was changed.');
    expect(await answered()).toBe(200);
    expect(await section.panel.api.audit.list()).toHaveLength(2);
  });

  test('asks on the overview whether it is a copy, and for a copy ends all tokens', async () => {
    const { text } = await section.get('');
    expect(wordsOf(text)).toContain('This is the database of panel<b>.example. Is this a copy?');
    expect(text).not.toContain('<b>.example');
    expect(await answered()).toBe(503);
    const words = await confirmCopy();
    expect(words).toContain('The database is that of a copy now: 1 token was revoked.');
    expect(words).not.toContain('Is this a copy?');
    expect(await answered()).toBe(401);
    const [entry] = await section.panel.api.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ action: 'database.copied', actor: 'ann', origin: 'api-section' });
  });

  test('keeps the tokens of an installation that has moved', async () => {
    const words = await choose('moved');
    expect(words).toContain('The installation has another name now. The tokens stay.');
    expect(words).not.toContain('Is this a copy?');
    expect(await answered()).toBe(200);
    const [entry] = await section.panel.api.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ action: 'database.moved', actor: 'ann' });
  });

  test('changes nothing without one of the two answers', async () => {
    await choose('');
    expect(await answered()).toBe(503);
    expect(await section.panel.api.audit.list()).toHaveLength(1);
    expect((await section.get('copy')).status).toBe(303);
  });

  test('asks in German', async () => {
    expect(wordsOf((await section.get('', GERMAN)).text)).toContain(
      'Dies ist die Datenbank von panel<b>.example. Ist dies eine Kopie?',
    );
    expect(await confirmCopy(GERMAN)).toContain('1 Token wurde widerrufen.');
  });
});
