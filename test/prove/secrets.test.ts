import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { operations } from '../../routes';
import { panelApi } from '../fixture/command/panelApi';
import { engines, freshDatabase, type TestDatabase } from '../fixture/databases';
import { leaks } from '../fixture/faults/leaks';
import { type HostProcess, startHost } from '../fixture/processes/hostProcess';
import { type SectionPanel, shownToken, startSectionPanel } from '../fixture/section/sectionPanel';
import { runCommand } from '../runCommand';
import { figure } from './figure';
import { isWhole } from './scale';

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
      const byCommand = await panelApi(database.url, [
        'token',
        'create',
        '--name',
        'command',
        '--scope',
        '*',
        '--json',
      ]);
      const byPage = await section.send('tokens/review?name=page&scope=*', 'tokens');
      tokens = [
        (await host.create()).token,
        JSON.parse(byCommand.stdout).token,
        shownToken(byPage.text),
      ].filter((token) => token !== undefined);
    });

    test('has no token, hash or password in any form', async () => {
      for (const token of tokens) for (const [place, text] of await answersOf(host, token)) note(place, text);
      const pages = await Promise.all(PAGES.map((page) => section.get(page)));
      for (const { text, headers } of pages) note('pages of the section', inspect([...headers]) + text);
      const commands = (isWhole ? COMMANDS : COMMANDS.slice(0, 2)).map((words) =>
        panelApi(database.url, words),
      );
      note('list of processes', commandLines());
      for (const { stdout, stderr } of await Promise.all(commands))
        note('output of the command', stdout + stderr);
      note('audit trail', inspect(await host.audit(), { depth: 10 }));
      for (const table of [
        'tokens',
        'audit_log',
        'settings',
        'rate_limits',
        'usage',
        'usage_hours',
        'migrations',
      ])
        for (const { hash: _stored, ...row } of await database.knex(`panel_api_${table}`))
          note('tables', inspect(row, { depth: 10, maxStringLength: null }));
      await database.knex.schema.dropTable('panel_api_rate_limits');
      for (const [place, text] of await answersOf(host, tokens[0]!)) note(place, text);
      note('packed files', await packedFiles());
      note('errors thrown', inspect(await host.create({ name: '' }).catch((error: unknown) => error)));
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
        'list of processes',
        'log',
        'output of the command',
        'packed files',
        'pages of the section',
        'tables',
      ]);
      for (const [place, text] of places)
        expect({ place, leaks: leaks(text, secrets) }).toEqual({ place, leaks: [] });
      const bytes = [...places.values()].reduce((sum, text) => sum + text.length, 0);
      figure(
        `${engine}: secrets, places, characters searched`,
        `${Object.keys(secrets).length}, ${places.size}, ${bytes}`,
      );
    });
  },
);

/** What all endpoints answer to a token, and to others like it. */
async function answersOf(host: HostProcess, token: string): Promise<readonly (readonly [string, string])[]> {
  const wrong = [token.slice(0, -1), token.toUpperCase(), `${token.slice(0, -1)}!`];
  const asked = operations.map(({ name }) => host.get(`/api/v1/${name}.php`, token));
  const refused = wrong.map((one) => host.get(`/api/v1/me.php?token=${one}`, one));
  const answers = await Promise.all([...asked, ...refused]);
  return answers.map(({ headers, text }) => ['answers', `${inspect([...headers])}\n${text}`]);
}

/** The files of the package. */
async function packedFiles(): Promise<string> {
  const listed = await runCommand('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  const [{ files }] = JSON.parse(listed) as [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => readFileSync(join(__dirname, '../..', path), 'latin1')).join('\n');
}

/** The command lines of all processes. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}
