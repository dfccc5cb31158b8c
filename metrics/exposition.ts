/** A metric, as one reading or several return it. */
export interface Family {
  /** Its name without the prefix, and without the ending of its type. */
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'info';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample<Value = number | bigint> {
  readonly value: Value;
  /** Texts of any kind. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Returns a metric with the values that are there. */
export function gauge(
  name: string,
  help: string,
  samples: readonly Sample<number | bigint | null | undefined>[],
): Family {
  const hasValue = (sample: Sample<unknown>): sample is Sample =>
    sample.value !== null && sample.value !== undefined;
  return { name, type: 'gauge', help, samples: samples.filter(hasValue) };
}

/** The ending of the names of a type's samples. */
const ENDINGS = { gauge: '', counter: '_total', info: '_info' } as const;

/** The text format 0.0.4 of Prometheus. */
export const PLAIN = {
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  /** The lines before the samples of a metric. */
  head: (name: string, { type, help }: Family) => [
    `# HELP ${name}${ENDINGS[type]} ${escaped(help, /[\\\n]/g)}`,
    `# TYPE ${name}${ENDINGS[type]} ${type === 'info' ? 'gauge' : type}`,
  ],
  end: '',
};

type Format = typeof PLAIN;

export const OPEN_METRICS: Format = {
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  head: (name, { type, help }) => [`# HELP ${name} ${escaped(help, /[\\\n"]/g)}`, `# TYPE ${name} ${type}`],
  end: '# EOF\n',
};

/** Returns OpenMetrics if the header `Accept` prefers it, otherwise the text format 0.0.4. */
export function preferredFormat(accept: string): Format {
  const weights = { open: 0, plain: 0 };
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const find = (name: string) =>
      parameters.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
    const weight = Number(find('q') ?? 1);
    const version = find('version');
    if (type === 'application/openmetrics-text') {
      if (version === undefined || version === '1.0.0') weights.open = Math.max(weights.open, weight);
    } else if (['text/plain', 'text/*', '*/*'].includes(type) && (version ?? '0.0.4') === '0.0.4')
      weights.plain = Math.max(weights.plain, weight);
  }
  return weights.open > weights.plain ? OPEN_METRICS : PLAIN;
}

/** Returns the text of the metrics. Those of one name are one metric, and of equal labels the first value counts. */
export function exposition(families: readonly Family[], prefix: string, format: Format): string {
  const lines: string[] = [];
  for (const name of new Set(families.map((family) => family.name))) {
    const same = families.filter((family) => family.name === name);
    const samples = new Map<string, number | bigint>();
    for (const { labels = {}, value } of same.flatMap((family) => family.samples)) {
      const text = labelsText(labels);
      if (!samples.has(text)) samples.set(text, value);
    }
    const [first] = same;
    if (!first || samples.size === 0) continue;
    lines.push(...format.head(prefix + name, first));
    for (const [labels, value] of samples)
      lines.push(`${prefix}${name}${ENDINGS[first.type]}${labels} ${value}`);
  }
  return `${lines.map((line) => `${line}\n`).join('')}${format.end}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const texts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(labelValue(value), /[\\\n"]/g)}"`,
  );
  return texts.length === 0 ? '' : `{${texts.join(',')}}`;
}

const LONGEST_LABEL = 128;

/** A value of a label: cut, and with `�` for control characters except line ends, and for halves of a character. */
export function labelValue(text: string): string {
  return text
    .slice(0, LONGEST_LABEL)
    .toWellFormed()
    .replace(/[^\P{Cc}\n]/gu, '\ufffd');
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
