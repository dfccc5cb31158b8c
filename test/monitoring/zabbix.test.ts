import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { samplesOf } from '../fixture/metricsPanel';
import { type ZabbixItem, zabbixExport, zabbixTemplate } from '../fixture/monitoringFiles';
import { requireProgram } from '../servers/requireProgram';
import { startMonitoredPanel } from './monitoredPanel';

const { zabbixFolder } = require('./zabbixFolder') as { readonly zabbixFolder: string };

/** What Zabbix refuses of a template. */
function refusals(template: unknown): string {
  const args = [join(__dirname, 'importTemplate.php'), zabbixFolder];
  const options = { input: JSON.stringify(template), encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(requireProgram('php', 'php-cli'), args, options);
  return stdout + stderr;
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function parsed(text: string): readonly Sample[] {
  return Object.entries(samplesOf(text)).map(([key, value]) => {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(key) ?? [];
    return { name, labels: labelsOf(labels), value };
  });
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/(\w+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
}

/** The samples that a Prometheus pattern of Zabbix finds. */
function found(samples: readonly Sample[], pattern: string): readonly Sample[] {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(pattern) ?? [];
  const wanted = Object.entries(labelsOf(labels));
  return samples.filter(
    (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
  );
}

/** The value of an item before the steps that compare it with the last one; undefined without one. */
function itemValue(
  samples: readonly Sample[],
  item: ZabbixItem,
  macros: readonly (readonly [string, string])[],
) {
  const [step] = item.preprocessing ?? [];
  expect(step?.type).toBe('PROMETHEUS_PATTERN');
  const [pattern = '', asked = '', label = ''] = step?.parameters ?? [];
  const matches = found(
    samples,
    macros.reduce((text, [macro, value]) => text.replaceAll(macro, value), pattern),
  );
  const values = matches.map(({ value }) => value);
  // Zabbix refuses to choose one of several.
  if (matches.length === 0 || (['value', 'label'].includes(asked) && matches.length > 1)) return undefined;
  switch (asked) {
    case 'label':
      return matches[0]?.labels[label];
    case 'count':
      return values.length;
    case 'max':
      return Math.max(...values);
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0);
    default:
      return asked === 'value' ? values[0] : undefined;
  }
}

describe('The Zabbix template', () => {
  test('is one that Zabbix 7.0 imports, and a mistake in it would be found', () => {
    const template = zabbixExport();
    expect(refusals(template)).toBe('');
    const wrong = JSON.stringify(template)
      .replace('"HIGH"', '"SEVERE"')
      .replace('nodata(', 'nodates(')
      .replace('panel_jobs{status=', 'panel_jobs{status');
    expect(refusals(JSON.parse(wrong)).split('\n')).toEqual([
      expect.stringContaining('unexpected constant "SEVERE"'),
      expect.stringContaining('unknown function "nodates"'),
      expect.stringContaining('not a pattern'),
      '',
    ]);
  });

  test('finds a value for every item in a scrape, and an item for every row that it discovers', async () => {
    const { panel, ask } = await startMonitoredPanel({ faults: false });
    const token = await panel.token();
    await ask(token);
    await panel.requestLines(1);
    await panel.api.usage.flush();
    const samples = parsed((await ask(token)).sent);
    const { items, discovery_rules: rules } = zabbixTemplate();
    const values = new Map<string, unknown>();
    for (const item of items.slice(1)) values.set(item.key, itemValue(samples, item, []));
    for (const rule of rules) {
      const [step] = rule.preprocessing ?? [];
      expect(step?.type).toBe('PROMETHEUS_TO_JSON');
      const rows = found(samples, step?.parameters[0] ?? '');
      expect([rule.key, rows.length > 0]).toEqual([rule.key, true]);
      for (const { labels } of rows) {
        const macros = rule.lld_macro_paths.map(
          ({ lld_macro: macro, path }) => [macro, labels[path.replace('$.labels.', '')] ?? ''] as const,
        );
        for (const item of rule.item_prototypes) {
          const key = macros.reduce((text, [macro, value]) => text.replaceAll(macro, value), item.key);
          values.set(key, itemValue(samples, item, macros));
        }
      }
    }
    expect([...values].filter(([, value]) => value === undefined)).toEqual([]);
    expect(Object.fromEntries(values)).toMatchObject({
      'panel.version': expect.stringMatching(/^\d/),
      'panel.accounts': 1,
      'panel.accounts.full': 0,
      'panel.lists': 15,
      'panel.jobs.failed': 1,
      'panel.requests': 1,
      'panel.service.running[nginx]': 1,
      'panel.service.running[debug]': 0,
      'panel.service.enabled[debug]': 0,
      'panel.list.up[jobs]': 1,
      'panel.certificate.end[shop.example]': expect.any(Number),
      'panel.disk.used[/]': expect.any(Number),
    });
  });
});
