import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { isTokenShaped, TOKEN_WITHIN } from '../../../lib/tokens/tokenFormat';
import { operations } from '../../../routes';
import { type Answer, readAnswer } from '../../fixture/answer';
import { panelApi } from '../../fixture/command/panelApi';
import { engines, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { leaks } from '../../fixture/faults/leaks';
import { type HostProcess, startHost } from '../../fixture/processes/hostProcess';
import { type SectionPanel, shownToken, startSectionPanel } from '../../fixture/section/sectionPanel';
import { runCommand } from '../../runCommand';
import { figure } from '../figure';
import { isWhole } from '../scale';

const PAUSE_MS = 20;

const COMMANDS = [
  ['token', 'list', '--json'],
  ['token', 'show', '1', '--json'],
  ['audit', '--json'],
  ['settings'],
  ['status'],
  ['check'],
  ['openapi'],
];
const PAGES = [
  '',
  'tokens',
  'tokens/1',
  'tokens/1/edit',
  'tokens/1/rotate',
  'audit',
  'settings',
  'reference',
];

describe.each(isWhole ? engines : (['mariadb'] as const))(
  'Everything that the module puts out (%s)',
  (engine) => {
    let database: TestDatabase;
    let host: HostProcess;
    let section: SectionPanel;
    let tokens: readonly string[];
    /** What was put out, by its place. */
    const places = new Map<string, string>();
    const note = (place: string, text: string) => places.set(place, `${places.get(place) ?? ''}\n${text}`);

    beforeAll(async () => {
      database = await freshDatabase(engine);
      section = await startSectionPanel(engine, {}, {}, database);
      host = await startHost(database, { options: { rateLimit: { requests: 10_000 } } });
      const command = ['token', 'create', '--name', 'command', '--scope', '*', '--json'];
      const lines = new Set<string>();
      const byCommand = await until(panelApi(database.url, command), () => {
        for (const line of commandLines()) lines.add(line);
      });
      note('list of processes', [...lines].join('\n'));
      const byPage = await section.send('tokens/review?name=page&scope=*', 'tokens');
      const byForm = shownToken(byPage.text) ?? '';
      note(
        'links of the page with the new token',
        urlsOf(byPage.text).join('\n') + inspect([...byPage.headers]),
      );
      tokens = [(await host.create()).token, JSON.parse(byCommand.stdout).token, byForm];
    });

    test('has no token, hash or password in any form', async () => {
      for (const token of tokens) {
        for (const answer of await answersOf(host, token)) note('answers', shown(answer, 200));
        for (const answer of await refusalsOf(host, token)) note('answers', shown(answer, 401));
        note('answers', shown(await misplaced(host, token), 400));
        note('answers', shown(await section.panel.get('/api/v1/me.php', token), 200));
      }
      for (const page of PAGES) note('pages of the section', shown(await section.get(page), 200));
      const commands = (isWhole ? COMMANDS : COMMANDS.slice(0, 2)).map((words) =>
        panelApi(database.url, words),
      );
      for (const { code, stdout, stderr } of await Promise.all(commands)) {
        expect(code).toBe(0);
        note('output of the command', stdout + stderr);
      }
      note('audit trail', inspect(await host.audit(), { depth: 10 }));
      for (const table of [
        'tokens',
        'audit_log',
        'settings',
        'rate_limits',
        'usage',
        'usage_tokens',
        'refusals',
        'migrations',
      ])
        for (const { hash: _stored, ...row } of await database.knex(`panel_api_${table}`))
          note('tables', inspect(row, { depth: 10, maxStringLength: null }));
      // The files are older than the secrets of this test, so they are searched for the format of a token.
      const packed = await packedFiles();
      expect(packed.match(TOKEN_WITHIN)?.filter(isTokenShaped) ?? []).toEqual([]);
      expect(tokens.flatMap((token) => token.match(TOKEN_WITHIN)?.filter(isTokenShaped))).toEqual(tokens);
      for (const table of ['rate_limits', 'audit_log', 'tokens']) {
        await database.knex.schema.dropTable(`panel_api_${table}`);
        for (const answer of await answersOf(host, tokens[0]!)) note('answers', shown(answer, 503));
      }
      for (const call of [host.create, () => host.rotate(1, { graceSeconds: 300 }), () => host.revoke(1)])
        note('errors thrown', inspect(await call().catch((error: unknown) => error)));
      expect(places.get('errors thrown')).toContain('DatabaseFailure');
      note('log', host.printed() + inspect(section.panel.log, { depth: 10 }));

      const secrets = Object.fromEntries(
        tokens.flatMap((token, index) => [
          [`token ${index}`, Buffer.from(token)],
          [`hash ${index}`, createHash('sha256').update(token).digest()],
        ]),
      );
      if (engine !== 'sqlite') secrets.password = Buffer.from(new URL(database.url).password);
      expect(tokens).toHaveLength(3);
      expect([...places.keys()].toSorted()).toEqual([
        'answers',
        'audit trail',
        'errors thrown',
        'links of the page with the new token',
        'list of processes',
        'log',
        'output of the command',
        'pages of the section',
        'tables',
      ]);
      expect(places.get('list of processes')).toContain('create\0--name\0command');
      for (const [place, text] of places) {
        expect({ place, leaks: leaks(text, secrets) }).toEqual({ place, leaks: [] });
        expect(leaks(text.slice(-100) + tokens[0], secrets)).toEqual(['token 0']);
      }
      const bytes = [...places.values()].reduce((sum, text) => sum + text.length, 0);
      figure(
        `${engine}: secrets, places, characters searched`,
        `${Object.keys(secrets).length}, ${places.size}, ${bytes}`,
      );
    });
  },
);

/** What all endpoints answer to a token. One at a time: a token has only its share of the connections. */
async function answersOf(host: HostProcess, token: string): Promise<readonly Answer[]> {
  const answers = [];
  for (const { name } of operations) answers.push(await host.get(`/api/v1/${name}.php`, token));
  answers.push(await host.get('/metrics', token));
  return answers;
}

/** What is answered to tokens that are like this one, and to the token in the URL alone. */
function refusalsOf(host: HostProcess, token: string): Promise<readonly Answer[]> {
  const wrong = [token.slice(0, -1), token.toUpperCase(), `${token.slice(0, -1)}!`];
  const url = (one: string) => `/api/v1/me.php?token=${one}`;
  return Promise.all([host.get(url(token)), ...wrong.map((one) => host.get(url(one), one))]);
}

/** What is answered to a valid token that a client also writes into each text that may be logged. */
async function misplaced(host: HostProcess, token: string): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'User-Agent': `billing ${token}`,
    'X-Request-Id': token,
    Referer: `https://panel.example/?${token}`,
    'X-Forwarded-For': token,
  };
  return readAnswer(await fetch(`${host.url}/api/v1/me.php?${token}=${token}`, { headers }));
}

/** An answer as text, if it has the expected status: a part that is never reached reveals nothing. */
function shown({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>, expected: number) {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${text}`);
  return `${inspect([...headers])}\n${text}`;
}

/** The URLs in a page. */
function urlsOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|action|src|formaction)="([^"]*)"/g)].map(([, url = '']) => url);
}

/** Calls `look` again and again until the promise is fulfilled. */
async function until<T>(promise: Promise<T>, look: () => void): Promise<T> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    look();
    await Promise.race([over, setTimeout(PAUSE_MS)]);
  }
  return promise;
}

/** The files of the package. */
async function packedFiles(): Promise<string> {
  const listed = await runCommand('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  const [{ files }] = JSON.parse(listed) as [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => readFileSync(join(__dirname, '../../..', path), 'latin1')).join('\n');
}

/** The command lines of all processes. */
function commandLines(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    });
}
