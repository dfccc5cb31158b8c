import { exposition, gauge, OPEN_METRICS, PLAIN, preferredFormat } from '../../metrics/exposition';

const textOf = (labels: Readonly<Record<string, string>>) =>
  exposition([gauge('a', 'Help.', [{ labels, value: 1 }])], '', PLAIN).split('\n')[2];

test.each([
  ['quotes and backslashes', 'a"b\\c', 'a\\"b\\\\c'],
  ['line ends', 'a\nb', 'a\\nb'],
  ['other control characters', 'a\rb\u0000c\u0085d', 'a\ufffdb\ufffdc\ufffdd'],
  ['halves of a character', 'a\ud800b', 'a\ufffdb'],
  ['a name of 10,000 characters', 'x'.repeat(10_000), 'x'.repeat(128)],
  ['a character in two halves at the cut', `${'x'.repeat(127)}😀`, `${'x'.repeat(127)}\ufffd`],
  ['what looks like a sample', '"} 1\npanel_up 1', '\\"} 1\\npanel_up 1'],
])('A label with %s is written as one label', (_name, value, written) => {
  expect(textOf({ name: value })).toBe(`a{name="${written}"} 1`);
});

test('Of two samples with the same labels, the first one is written', () => {
  const samples = ['x', 'y'].map((end, value) => ({ labels: { name: 'n'.repeat(128) + end }, value }));
  const text = exposition([gauge('a', 'Help.', samples)], 'p_', PLAIN);
  expect(text).toBe(`# HELP p_a Help.\n# TYPE p_a gauge\np_a{name="${'n'.repeat(128)}"} 0\n`);
});

test('A metric without a value is left out, and one that several readings return is written once', () => {
  const up = (list: string) => gauge('up', 'Up.', [{ labels: { list }, value: 1 }]);
  const families = [up('a'), gauge('none', 'None.', [{ value: null }, { value: undefined }]), up('b')];
  expect(exposition(families, '', PLAIN)).toBe(
    '# HELP up Up.\n# TYPE up gauge\nup{list="a"} 1\nup{list="b"} 1\n',
  );
});

test('OpenMetrics names counters and information without their ending, and says where it ends', () => {
  const samples = [{ value: 2n ** 60n }];
  const families = [
    { name: 'requests', type: 'counter', help: 'A "b" \\ c\nd', samples },
    { name: 'build', type: 'info', help: 'B.', samples: [{ value: 1 }] },
  ] as const;
  expect(exposition(families, '', OPEN_METRICS).split('\n')).toEqual([
    '# HELP requests A \\"b\\" \\\\ c\\nd',
    '# TYPE requests counter',
    'requests_total 1152921504606846976',
    '# HELP build B.',
    '# TYPE build info',
    'build_info 1',
    '# EOF',
    '',
  ]);
  expect(exposition(families, '', PLAIN).split('\n').slice(0, 5)).toEqual([
    '# HELP requests_total A "b" \\\\ c\\nd',
    '# TYPE requests_total counter',
    'requests_total 1152921504606846976',
    '# HELP build_info B.',
    '# TYPE build_info gauge',
  ]);
});

test.each([
  ['', PLAIN],
  ['*/*', PLAIN],
  ['text/html', PLAIN],
  ['application/openmetrics-text', OPEN_METRICS],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', OPEN_METRICS],
  ['application/openmetrics-text;version=0.0.1', PLAIN],
  ['application/openmetrics-text;q=0.2,text/plain;version=0.0.4;q=0.5', PLAIN],
  ['application/openmetrics-text;q=x', PLAIN],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
    OPEN_METRICS,
  ],
])('Accept: %s', (accept, format) => {
  expect(preferredFormat(accept).contentType).toBe(format.contentType);
});
