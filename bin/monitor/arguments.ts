import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { PanelClient } from '../../client';
import type { Bounds, Finding } from './report';

/** The checks in the order in which they run. */
export const CHECKS = ['health', 'services', 'certificates', 'accounts', 'backups', 'jobs'] as const;

export type CheckName = (typeof CHECKS)[number];

/** Seconds of the first answer, days of certificates, and numbers of the others. */
const THRESHOLDS = {
  response: { warning: 5, critical: 15, means: 'more seconds than this until health.php has answered' },
  services: { warning: 0, critical: 0, means: 'more than this that should run and do not' },
  certificates: { warning: 14, critical: 3, means: 'fewer days than this left' },
  accounts: { warning: 0, critical: 10, means: 'more than this without a backup' },
  backups: { warning: 0, critical: 10, means: 'more than this that failed' },
  jobs: { warning: 0, critical: 10, means: 'more than this that failed' },
};

export type Thresholds = Readonly<Record<keyof typeof THRESHOLDS, Bounds>>;

export interface Arguments {
  readonly url: string;
  readonly token: string;
  readonly allowHttp: boolean;
  readonly checks: readonly CheckName[];
  readonly thresholds: Thresholds;
  readonly hours: number;
  readonly backupDays: number;
  readonly ignored: ReadonlySet<string>;
  readonly timeoutSeconds: number;
}

/** Reads from the panel what one check is about, and judges it. */
export type Check = (client: PanelClient, options: Arguments, signal: AbortSignal) => Promise<Finding>;

export const USAGE = `check_panel: checks a panel over its API, for Nagios, Icinga and others

check_panel --url https://panel.example --token-file FILE [options]

  -u, --url URL           the address of the panel; default: the variable PANEL_URL
  -f, --token-file FILE   a file with the token; default: the variable PANEL_API_TOKEN
      --checks NAMES      of ${CHECKS.join(',')}; default: all
  -w, --warning NAME=N    when to warn, for one check; may be repeated
  -c, --critical NAME=N   the same for critical
      --hours N           how old failed backups and jobs may be; default: 24, at most 87600
      --backup-days N     how old the last backup of an account may be; default: 2
      --ignore NAME       a service, certificate, account or part of health.php to leave out; may be repeated
  -t, --timeout N         seconds for everything; default: 30
      --allow-http        permit http:// to another machine: the network can read the token
  -h, --help              this text

            warning  critical
${Object.entries(THRESHOLDS)
  .map(([name, { warning, critical, means }]) =>
    [name.padEnd(13), String(warning).padStart(4), String(critical).padStart(10), `  ${means}`].join(''),
  )
  .join('\n')}

Exit codes: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN (also of --help).
`;

const OPTIONS = {
  url: { type: 'string', short: 'u' },
  'token-file': { type: 'string', short: 'f' },
  checks: { type: 'string' },
  warning: { type: 'string', short: 'w', multiple: true },
  critical: { type: 'string', short: 'c', multiple: true },
  hours: { type: 'string' },
  'backup-days': { type: 'string' },
  ignore: { type: 'string', multiple: true },
  timeout: { type: 'string', short: 't' },
  'allow-http': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** Reads the arguments, null for `--help`. Throws a TypeError, which repeats no argument, because one may be a token. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Arguments | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  if (positionals.length > 0) throw new TypeError('There is an argument without an option.');
  const { url = env.PANEL_URL, hours = '24', timeout = '30', checks = CHECKS.join() } = values;
  if (!url) throw new TypeError('--url is missing.');
  const chosen = checks.split(',');
  if (!chosen.every((name) => (CHECKS as readonly string[]).includes(name)))
    throw new TypeError(`--checks takes the names ${CHECKS.join(', ')}, separated by commas.`);
  return {
    url,
    token: tokenOf(values['token-file'], env.PANEL_API_TOKEN),
    allowHttp: values['allow-http'] ?? false,
    checks: CHECKS.filter((name) => chosen.includes(name)),
    thresholds: thresholdsOf(values),
    hours: numberOf('hours', hours, 87_600),
    backupDays: numberOf('backup-days', values['backup-days'] ?? '2', 3650),
    ignored: new Set(values.ignore),
    timeoutSeconds: numberOf('timeout', timeout, 3600),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    throw new TypeError(
      'There is an unknown option, or one without its value. The token is read from a file or PANEL_API_TOKEN.',
    );
  }
}

function tokenOf(file: string | undefined, variable = ''): string {
  let token = variable;
  try {
    if (file !== undefined) token = readFileSync(file, 'utf8');
  } catch (error) {
    throw new TypeError(`--token-file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (token.trim() === '')
    throw new TypeError('There is no token: --token-file or the variable PANEL_API_TOKEN.');
  return token.trim();
}

function thresholdsOf(values: { readonly warning?: string[]; readonly critical?: string[] }): Thresholds {
  const thresholds: Record<string, Bounds> = { ...THRESHOLDS };
  for (const level of ['warning', 'critical'] as const) {
    for (const given of values[level] ?? []) {
      const [, name = '', number = ''] = /^(\w+)=(.*)$/.exec(given) ?? [];
      const bounds = Object.hasOwn(thresholds, name) ? thresholds[name] : undefined;
      if (!bounds)
        throw new TypeError(`--${level} takes NAME=N, with a name of ${Object.keys(THRESHOLDS).join(', ')}.`);
      thresholds[name] = { ...bounds, [level]: numberOf(level, number, 1e9, 0) };
    }
  }
  // Few days are worse, and much of anything else.
  for (const [name, { warning, critical }] of Object.entries(thresholds))
    if (name === 'certificates' ? warning < critical : warning > critical)
      throw new TypeError(`The warning of ${name} (${warning}) would come after its critical (${critical}).`);
  return thresholds as Thresholds;
}

function numberOf(option: string, text: string, most: number, least = Number.MIN_VALUE): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new TypeError(`--${option} needs a number ${least === 0 ? 'from' : 'above'} 0, up to ${most}.`);
}
