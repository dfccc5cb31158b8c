import type { Knex } from 'knex';
import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { printable } from '../../lib/errors/printable';
import { checkReadDatabase } from '../../lib/health/databaseChecks';
import { type Inspection, inspectSource, reportOf } from '../../lib/health/listCheck';
import type { Installation } from '../../lib/Installation';
import { causeFacts } from '../../lib/log/PanelLog';
import { emptyReport, type SourceReport, UnreadableRow } from '../../lib/sources/Source';
import { CommandFailure } from '../exit';
import type { Definition } from '../onInstallation';
import type { Terminal } from '../Terminal';
import { type Cell, type Column, formatTable } from '../table';
import { checkTimeoutMs } from '../timeouts';

export const check: Definition<[{ readonly verbose?: boolean; readonly all?: boolean }]> = {
  description: 'compare the source of each list with the live database',
  tables: false,
  timeoutMs: checkTimeoutMs,
  define: (command) =>
    command
      .option('--verbose', 'also name the fields of each list')
      .option('--all', 'read all rows of each list, and not only the first 1,000'),
  async run(installation, { terminal, global }, { verbose = false, all = false }) {
    if (global.config === undefined) {
      terminal.note('Compared without the mount options: use --config FILE to include their sources.');
    } else {
      for (const warning of await handleWarnings(installation)) terminal.note(`warning: ${warning}`);
    }
    // Rejects if one of the panel's tables has the name of one of the module's.
    await installation.migrations.pending();
    const findings = await inspectAll(installation, terminal, all);
    const accounts = findings.find(({ resource }) => resource === 'accounts');
    if (accounts?.state === 'off' || accounts?.state === 'missing') terminal.note(NO_ACCOUNTS);
    const missing = findings.filter(({ state }) => state === 'missing' || state === 'failed').length;
    return {
      json: findings,
      text: formatTable(findings, COLUMNS, terminal.screen, (finding) => linesBelow(finding, verbose)),
      ...(missing > 0 && {
        failure: new CommandFailure('missing', `${missing} of ${findings.length} lists cannot be served.`),
      }),
    };
  },
};

const NO_ACCOUNTS =
  'Without a list of accounts, a token of one account stays valid if the account is suspended or deleted, and reads the rows of the next account with its id.';

async function handleWarnings({ database, readDatabase, options }: Installation): Promise<readonly string[]> {
  const { db, readDb } = options;
  if (!readDb) return poolWarnings(db);
  const { detail } = await checkReadDatabase(database, readDatabase);
  return [...(detail === undefined ? [] : [detail]), ...poolWarnings(db, readDb)];
}

/** How soon the API should answer after a network outage, in milliseconds. */
const PROMISED_MS = 2000;

/**
 * The option with which a driver ends an attempt to connect, and its default. knex's `createTimeoutMillis` gives such an
 * attempt up and leaves its socket open.
 */
const CONNECTING = [
  ['mysql2', 'connectTimeout', 10_000],
  ['pg', 'connectionTimeoutMillis', Infinity],
] as const;

/** Warns if the panel's drivers may take long to give up a connection to a database that does not answer. */
export function poolWarnings(...handles: readonly Knex[]): readonly string[] {
  return CONNECTING.flatMap(([driver, option, usual]) => {
    // A function of the panel's may decide about the settings.
    const isSlow = ({ client }: Knex) =>
      client.driverName === driver &&
      client.connectionSettings &&
      (client.connectionSettings[option] || usual) > PROMISED_MS;
    if (!handles.some(isSlow)) return [];
    return `The database handle may try to connect for more than ${PROMISED_MS / 1000} s. The API may answer late after a network failure, or open sockets may add up while the database hangs. Set connection.${option} to at most ${PROMISED_MS}.`;
  });
}

interface CheckedList extends Pick<SourceReport, 'state' | 'missing' | 'warnings'> {
  readonly resource: string;
  readonly fields: readonly string[];
  /** How many rows were read, a thousand and some of each part at most; null if none could be. */
  readonly rows: number | null;
  /** Whether the list has no other rows. */
  readonly all_rows: boolean | null;
}

async function inspectAll(
  installation: Installation,
  terminal: Terminal,
  isAll: boolean,
): Promise<readonly CheckedList[]> {
  const findings: CheckedList[] = [];
  const messages = databaseMessages(installation);
  const { size } = installation.sources;
  for (const [resource, source] of installation.sources) {
    messages.clear();
    terminal.progress(`Reading ${resource} (${findings.length + 1} of ${size}) …`);
    // If one fails, the others are still inspected.
    const { state, itemSchema, rows, ...found } = await inspectSource(
      resource,
      source,
      isAll ? 'all' : 'many',
      installation,
    ).catch((error): Inspection => ({ ...failed(error), rows: null }));
    findings.push({
      resource,
      state,
      fields: state === 'served' ? Object.keys(itemSchema.properties) : [],
      missing: explained(found.missing, messages),
      warnings: found.warnings,
      rows: rows?.count ?? null,
      all_rows: rows?.isAll ?? null,
    });
  }
  terminal.progress(null);
  return findings;
}

/**
 * Collects the database's error messages about wrong statements by their codes. They may contain secrets, so only this
 * command prints them.
 */
function databaseMessages({ readDatabase, options }: Installation): Map<string, string> {
  const messages = new Map<string, string>();
  (options.readDb ?? options.db).on(
    'query-error',
    (error: Error & { sqlMessage?: string }, { sql }: { sql: string }) => {
      const failure = DatabaseFailure.from('', error);
      if (!readDatabase.dialect.isStatementFailure(failure)) return;
      // knex puts the statement before the message.
      const message = error.sqlMessage ?? error.message.replace(`${sql} - `, () => '');
      messages.set(failure.code, printable(message, 300));
    },
  );
  return messages;
}

/** The sentences, and the database's messages for the codes in them. */
function explained(sentences: readonly string[], messages: ReadonlyMap<string, string>): readonly string[] {
  const named = [...messages].filter(([code]) =>
    sentences.some((sentence) => sentence.includes(`(${code})`)),
  );
  return [...sentences, ...named.map(([, message]) => `The database says: ${message}`)];
}

/** The report of a source that cannot be read; if the panel's function threw, with the place in its code. */
function failed(error: unknown): SourceReport {
  const facts = causeFacts(error);
  const report = reportOf(error);
  if (!report) {
    const why = Object.values(facts).join(', ');
    return emptyReport('failed', [`The source cannot be inspected: ${why}.`]);
  }
  const isThrown =
    error instanceof UnreadableRow && error.cause !== undefined && facts.cause_at !== undefined;
  const cause = isThrown ? ` Cause: ${facts.cause} at ${facts.cause_at}.` : '';
  return { ...report, missing: report.missing.map((sentence) => sentence + cause) };
}

const MARKS = {
  served: { mark: '✓', style: 'green' },
  warned: { mark: '!', style: 'yellow' },
  off: { mark: '-', style: 'dim' },
  missing: { mark: '✗', style: 'red' },
  failed: { mark: '✗', style: 'red' },
} as const;

function markOf({ state, warnings }: CheckedList) {
  return MARKS[state === 'served' && warnings.length > 0 ? 'warned' : state];
}

const COLUMNS: readonly Column<CheckedList>[] = [
  {
    heading: 'RESOURCE',
    cell: (finding) => ({
      text: `${markOf(finding).mark} ${finding.resource}`,
      style: markOf(finding).style,
    }),
  },
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'ROWS', cell: rowsText },
  { heading: 'FIELDS', cell: ({ fields }) => (fields.length === 0 ? '-' : String(fields.length)) },
];

/** Only the first rows are read: a plus says that there may be more. */
function rowsText({ rows, all_rows }: CheckedList): string {
  if (rows === null) return '-';
  return all_rows ? String(rows) : `${rows}+`;
}

function linesBelow(finding: CheckedList, verbose: boolean): readonly Cell[] {
  const { style } = markOf(finding);
  return [
    ...finding.missing.map((text) => ({ text, style })),
    ...finding.warnings.map(({ sentence }) => ({ text: `warning: ${sentence}`, style })),
    ...(verbose && finding.fields.length > 0 ? [`fields: ${finding.fields.join(', ')}`] : []),
  ];
}
