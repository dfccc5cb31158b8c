import {
  alertRules,
  alertTests,
  dashboard,
  monitoringText,
  scrapeConfiguration,
  zabbixTemplate,
} from '../fixture/monitoringFiles';
import { Page } from './Page';

/** The metrics that the reference lists. */
const listed = new Set(
  new Page('docs/reference/metrics.md').text
    .split('\n')
    .filter((line) => line.startsWith('| `panel_'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)),
);

test.each(['prometheus.yml', 'rules.yml', 'grafana.json', 'zabbix.yaml'])(
  '%s uses only metrics that the reference lists',
  (name) => {
    // Without labels in texts: {{panel_version}}.
    const used = monitoringText(name)
      .replace(/\{\{.*?\}\}/g, '')
      .match(/\bpanel_[a-z0-9_]+/g);
    expect((used ?? []).filter((metric) => !listed.has(metric))).toEqual([]);
    if (name !== 'prometheus.yml') expect(new Set(used).size).toBeGreaterThan(8);
  },
);

test('the scrape configuration takes the token from a file, and the rules from the file beside it', () => {
  expect(scrapeConfiguration()).toMatchObject({
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'panel', authorization: { type: 'Bearer' }, metrics_path: '/metrics' }],
  });
});

test('each of the eleven alert rules has a test in which it fires, and one in which it is silent', () => {
  const names = alertRules().map(({ alert }) => alert);
  expect(new Set(names).size).toBe(11);
  const tests = alertTests();
  for (const name of names) {
    const counts = tests
      .filter(({ alertname }) => alertname === name)
      .map((one) => one.exp_alerts?.length ?? 0);
    expect([name, counts.includes(0), counts.some((count) => count > 0)]).toEqual([name, true, true]);
  }
  expect(tests.filter(({ alertname }) => !names.includes(alertname))).toEqual([]);
});

test('the panels of the dashboard have queries for the chosen panel, and fit its width', () => {
  const { panels } = dashboard();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, gridPos, targets } of panels) {
    expect([title, gridPos.x + gridPos.w <= 24, targets.length > 0]).toEqual([title, true, true]);
    for (const { expr } of targets) expect(expr).toContain('instance="$instance"');
  }
});

test('the items of the Zabbix template have ids of their own, and read the one that scrapes', () => {
  const { template, items, discovery_rules: rules } = zabbixTemplate();
  const prototypes = rules.flatMap((rule) => rule.item_prototypes);
  const all = [...items, ...rules, ...prototypes];
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  const [scraping, ...others] = all;
  expect(scraping).toMatchObject({ key: 'panel.metrics', type: 'HTTP_AGENT' });
  for (const { key, type, master_item: master } of others)
    expect([key, type, master?.key]).toEqual([key, 'DEPENDENT', 'panel.metrics']);
  const text = monitoringText('zabbix.yaml');
  const ids = [...text.matchAll(/uuid: "?(\w+)"?$/gm)].map(([, id]) => id);
  expect(ids.filter((id) => !/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(String(id)))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...text.matchAll(/\/([^/"()]+)\/(panel\.[\w.]+(?:\[[^\]]*\])?)/g)];
  expect(named.length).toBeGreaterThan(8);
  for (const [, host, key] of named)
    expect([host, all.some((item) => item.key === key)]).toEqual([template, true]);
});
