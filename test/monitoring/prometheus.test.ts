import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAtEnd } from '../fixture/closeAtEnd';
import type { MetricsPanel } from '../fixture/metricsPanel';
import { alertRules, dashboard, MONITORING } from '../fixture/monitoringFiles';
import { AUTHOR } from '../fixture/panel';
import { until } from '../fixture/until';
import { requireProgram } from '../servers/requireProgram';
import { startMonitoredPanel } from './monitoredPanel';
import { startPrometheus } from './startPrometheus';

/** What promtool prints. It must accept what it is given. */
function promtool(args: readonly string[], input = ''): string {
  const program = requireProgram('promtool', 'prometheus');
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('promtool', () => {
  test('accepts the rules, and each of them fires on a planted fault and is silent otherwise', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    closeAtEnd(() => rmSync(folder, { recursive: true }));
    const rules = join(folder, 'rules.yml');
    cpSync(join(MONITORING, 'rules.yml'), rules);
    cpSync(join(__dirname, 'rules.test.yml'), join(folder, 'rules.test.yml'));
    expect(promtool(['check', 'rules', rules])).toContain('SUCCESS: 10 rules found');
    expect(promtool(['test', 'rules', join(folder, 'rules.test.yml')])).toContain('SUCCESS');
  });
});

describe('A Prometheus that scrapes two panels', () => {
  let healthy: MetricsPanel;
  let broken: MetricsPanel;
  let ask: Awaited<ReturnType<typeof startPrometheus>>;

  const instance = ({ panel }: MetricsPanel) => panel.url.replace('http://', '');

  /** The rules, without those of a fault of the machine, whose expression has a result for this panel. */
  const firing = async (panel: MetricsPanel) => {
    const found = await Promise.all(
      alertRules().map(async ({ alert, expr }) => {
        const series = await ask(expr);
        return series.some(({ metric }) => metric.instance === instance(panel)) ? [alert] : [];
      }),
    );
    return found.flat().filter((alert) => alert !== 'PanelDiskFull');
  };

  beforeAll(async () => {
    healthy = await startMonitoredPanel({ faults: false });
    broken = await startMonitoredPanel({ faults: true });
    const target = async ({ panel }: MetricsPanel) => ({ url: panel.url, token: await panel.token() });
    ask = await startPrometheus([await target(healthy), await target(broken)]);
    // A rate needs two scrapes, and the requests are counted after a moment.
    await until(async () => (await ask('count_over_time(panel_api_requests_total[1m]) > 3')).length >= 2);
  });

  test('accepts what it reads: promtool has nothing to say of it', async () => {
    for (const panel of [healthy, broken]) {
      const { sent } = await panel.ask(await panel.panel.token());
      expect(promtool(['check', 'metrics'], sent)).toBe('');
    }
  });

  test('has data for every query of the dashboard, and for each metric in it', async () => {
    const queries = dashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const translated = queries.map((expr) =>
      expr.replaceAll('$instance', instance(healthy)).replaceAll('$__rate_interval', '30s'),
    );
    const selectors = translated.flatMap((expr) => expr.match(/\b(?:panel_\w+|up)\{[^}]*\}/g) ?? []);
    expect(selectors.length).toBeGreaterThanOrEqual(queries.length);
    const empty: string[] = [];
    for (const query of new Set([...translated, ...selectors]))
      if ((await ask(query)).length === 0) empty.push(query);
    expect(empty).toEqual([]);
  });

  test('fires for the panel with faults, and not for the other', async () => {
    expect(await firing(healthy)).toEqual([]);
    expect(await firing(broken)).toEqual([
      'PanelCertificateEnds',
      'PanelBackupOverdue',
      'PanelJobFailed',
      'PanelServiceDown',
      'PanelQuotaFull',
      'PanelTokenExpires',
      'PanelSourceDown',
    ]);
  });

  test('fires once the API is off, and because of scrapes that fail at times', async () => {
    const { settings } = healthy.panel.api;
    const up = async (value: number) => {
      await until(async () => (await ask(`up{instance="${instance(healthy)}"} == ${value}`)).length === 1);
    };
    await settings.disable(AUTHOR);
    await up(0);
    expect(await firing(healthy)).toContain('PanelApiOff');
    await settings.enable(AUTHOR);
    await up(1);
    await settings.disable(AUTHOR);
    await up(0);
    await settings.enable(AUTHOR);
    await up(1);
    const now = await firing(healthy);
    expect([now.includes('PanelScrapeFailing'), now.includes('PanelApiOff')]).toEqual([true, false]);
  });
});
