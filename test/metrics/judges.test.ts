import type { Knex } from 'knex';
import Koa from 'koa';
import { outcome } from '../../bin/monitor/outcome';
import { createMcp, createMetrics } from '../../index';
import { addNewest, backedUpAt, CertificateEnds, FAILED, isDown, runTime } from '../../lib/problems/problems';
import { toolCall } from '../fixture/assistants/assistantsPanel';
import { describeEachEngine, freshDatabase } from '../fixture/databases';
import { type Samples, samplesOf } from '../fixture/metricsPanel';
import { alertRules } from '../fixture/monitoringFiles';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { type Facts, QUESTIONS } from '../fixture/questionsOfJudges';

type List = keyof Facts;
type Row = Readonly<Record<string, unknown>>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TABLES = ['jobs', 'backups', 'accounts', 'ssl'] as const;

/** A row with its times as texts of this form. */
function timed(row: Row, textOf: (iso: string) => string): Row {
  const member = ([name, value]: [string, unknown]) => {
    if (!name.endsWith('_at') || typeof value !== 'number') return [name, value];
    return [name, textOf(new Date(Date.now() + value * HOUR).toISOString().slice(0, 19))];
  };
  return Object.fromEntries(Object.entries(row).map(member));
}

/** Asks the judge itself, with rows as the API shows them. */
function askJudge({
  jobs = [],
  backups = [],
  accounts = [],
  ssl = [],
  services = [],
}: Facts): readonly string[] {
  const now = Date.now();
  const inApi = (row: Row) => timed(row, (iso) => `${iso}+00:00`);
  const hasFailed = (rows: readonly Row[], words: readonly string[]) =>
    rows.some((row) => words.includes(String(row.status)) && runTime(inApi(row)) >= now - DAY);
  const ends = new CertificateEnds(now, now + 7 * DAY);
  for (const row of ssl) ends.add({ ...inApi(row), sans: row.sans ? String(row.sans).split(' ') : null });
  const succeeded = backups.filter(({ status }) => status === 'succeeded').map(inApi);
  const newest = succeeded.reduce(addNewest, new Map<string, number>());
  const isWithout = (row: Row) => {
    const at = backedUpAt(inApi(row), newest.get(String(row.id)));
    return at !== null && at < now - 7 * DAY;
  };
  const found: Readonly<Record<List, boolean>> = {
    jobs: hasFailed(jobs, FAILED.jobs),
    backups: hasFailed(backups, FAILED.backups),
    accounts: accounts.some(isWithout),
    ssl: ends.result().ending.length > 0,
    services: services.some(isDown),
  };
  return Object.entries(found).flatMap(([list, isFound]) => (isFound ? [list] : []));
}

const now = () => Date.now() / 1000;
const some = (samples: Samples, name: string, holds: (value: number, sample: string) => boolean) =>
  Object.entries(samples).some(([sample, value]) => sample.startsWith(name) && holds(value, sample));

/** The rules as they are written, each with the same in this language. No rule is about backups that failed. */
const RULES: readonly (readonly [
  list: List,
  alert: string,
  expr: string,
  fires: (samples: Samples) => boolean,
])[] = [
  [
    'jobs',
    'PanelJobFailed',
    'time() - panel_job_last_failure_timestamp_seconds < 3600',
    (samples) => some(samples, 'panel_job_last_failure', (at) => now() - at < 3600),
  ],
  [
    'accounts',
    'PanelBackupOverdue',
    'time() - (panel_backup_oldest_last_success_timestamp_seconds or on (job, instance) max by (job, instance) ' +
      '(panel_backup_last_success_timestamp_seconds)) > 2 * 86400',
    (samples) => some(samples, 'panel_backup_oldest_last_success', (at) => now() - at > 2 * 86_400),
  ],
  [
    'ssl',
    'PanelCertificateEnds',
    'panel_certificate_expiry_timestamp_seconds - time() < 14 * 86400',
    (samples) => some(samples, 'panel_certificate_expiry', (at) => at - now() < 14 * 86_400),
  ],
  [
    'services',
    'PanelServiceDown',
    'panel_service_running == 0 unless panel_service_enabled == 0',
    (samples) =>
      some(
        samples,
        'panel_service_running',
        (value, sample) => value === 0 && samples[sample.replace('running', 'enabled')] !== 0,
      ),
  ],
];

/** The lists of the problems by their names. */
const PROBLEMS: Readonly<Record<string, List>> = {
  failed_jobs: 'jobs',
  failed_backups: 'backups',
  accounts_without_backup: 'accounts',
  ending_certificates: 'ssl',
  services_down: 'services',
};

test('The questions are about the rules as they are written', () => {
  const written = new Map(alertRules().map(({ alert, expr }) => [alert, expr]));
  expect(RULES.map(([, alert]) => written.get(alert))).toEqual(RULES.map(([, , expr]) => expr));
});

describeEachEngine('The judges', (engine) => {
  let knex: Knex;
  let panel: TestPanel;
  let token: string;
  let services: readonly Row[] = [];

  beforeAll(async () => {
    ({ knex } = await freshDatabase(engine));
    await createPanelTables(knex, [...TABLES]);
    const off = ['domains', 'websites', 'email', 'databases', 'cron', 'settings'];
    const sources = {
      ...Object.fromEntries(off.map((list) => [list, false])),
      services: { fields: ['id', 'name', 'status', 'enabled'], rows: () => services },
    };
    const options = { db: knex, rateLimit: { requests: 100_000 }, sources: sources as never };
    panel = await startPanel(options, new Koa(), (api) => [
      createMetrics({ api, maxAgeSeconds: 0 }).routes() as Koa.Middleware,
      createMcp({ api }).routes() as Koa.Middleware,
    ]);
    token = await panel.token();
    await panel.api.settings.change({ assistantsEnabled: true }, AUTHOR);
  });

  const insert = async (facts: Facts) => {
    services = facts.services ?? [];
    for (const table of TABLES) {
      await knex(table).del();
      const rows = (facts[table] ?? []).map((row) => timed(row, (iso) => iso.replace('T', ' ')));
      if (rows.length > 0) await knex(table).insert(rows);
    }
  };

  const askMetrics = async () => {
    const answer = await fetch(`${panel.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
    const samples = samplesOf(await answer.text());
    expect(some(samples, 'panel_source_up', (value) => value === 0)).toBe(false);
    return RULES.flatMap(([list, , , fires]) => (fires(samples) ? [list] : []));
  };

  const askTool = async (tool: string, member: string) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
    };
    const body = JSON.stringify(toolCall(tool));
    const text = await (await fetch(`${panel.url}/mcp`, { method: 'POST', headers, body })).text();
    const { structuredContent: data } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text).result;
    expect(data.not_read).toEqual([]);
    return data[member].flatMap(({ problem }: { problem: string }) => PROBLEMS[problem] ?? []);
  };

  const askPlugin = async () => {
    const checks = ['--checks', 'services,certificates,accounts,backups,jobs', '--backup-days', '7'];
    const env = { PANEL_URL: panel.url, PANEL_API_TOKEN: token };
    const [, output] = await outcome(checks, env);
    const figures = [...output.matchAll(/'(\w+)'=(\d+)/g)].filter(([, , value]) => value !== '0');
    const lists = figures.map(([, name = '']) => (name.startsWith('certificates') ? 'ssl' : name));
    return [...new Set(lists)];
  };

  const sorted = (answer: readonly string[]) => answer.toSorted();

  // What reads the rows by SQL is asked on every engine, and the others on one.
  const asked = engine === 'sqlite' ? QUESTIONS : QUESTIONS.filter(([, facts]) => !facts.services);

  test.each(asked)('agree about %s', async (_, facts, problems) => {
    await insert(facts);
    expect(sorted(await askTool('panel_problems', 'problems'))).toEqual(problems);
    expect(sorted(await askMetrics())).toEqual(problems.filter((list) => list !== 'backups'));
    if (engine !== 'sqlite') return;
    expect(sorted(askJudge(facts))).toEqual(problems);
    expect(sorted(await askTool('panel_overview', 'attention'))).toEqual(problems);
    expect(sorted(await askPlugin())).toEqual(problems);
  });
});
