import type { Knex } from 'knex';
import type { ComparedList } from '../../lib/health/ListCheck';
import { CommandFailure } from '../exit';
import { type Definition, noteWithoutConfig } from '../onPanel';
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
  async run(panel, run, { verbose = false, all = false }) {
    const { terminal, global } = run;
    noteWithoutConfig(run, 'Compared');
    if (global.config !== undefined) {
      const { db, readDb = db } = panel.options;
      const { detail = [] } = await panel.checkReadDatabase();
      for (const warning of [detail, poolWarnings(db, readDb)].flat()) terminal.note(`warning: ${warning}`);
    }
    // Rejects if one of the panel's tables has the name of one of the module's.
    await panel.migrations.pending();
    const lists: ComparedList[] = [];
    for (const [resource, listCheck] of panel.listChecks) {
      terminal.progress(`Reading ${resource} (${lists.length + 1} of ${panel.listChecks.size}) …`);
      lists.push(await listCheck.compare(all ? 'all' : 'many'));
    }
    terminal.progress(null);
    const accounts = lists.find(({ resource }) => resource === 'accounts');
    if (accounts?.state === 'off' || accounts?.state === 'missing') terminal.note(NO_ACCOUNTS);
    const missing = lists.filter(({ state }) => state === 'missing' || state === 'failed').length;
    return {
      json: lists,
      text: formatTable(lists, COLUMNS, terminal.screen, (list) => linesBelow(list, verbose)),
      ...(missing > 0 && {
        failure: new CommandFailure('missing', `${missing} of ${lists.length} lists cannot be served.`),
      }),
    };
  },
};

const NO_ACCOUNTS =
  'Without a list of accounts, a token of one account stays valid if the account is suspended or deleted, and reads the rows of the next account with its id.';

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

const MARKS = {
  served: { mark: '✓', style: 'green' },
  warned: { mark: '!', style: 'yellow' },
  off: { mark: '-', style: 'dim' },
  missing: { mark: '✗', style: 'red' },
  failed: { mark: '✗', style: 'red' },
} as const;

function markOf({ state, warnings }: ComparedList) {
  return MARKS[state === 'served' && warnings.length > 0 ? 'warned' : state];
}

const COLUMNS: readonly Column<ComparedList>[] = [
  {
    heading: 'RESOURCE',
    cell: (list) => ({ text: `${markOf(list).mark} ${list.resource}`, style: markOf(list).style }),
  },
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'ROWS', cell: rowsText },
  { heading: 'FIELDS', cell: ({ fields }) => (fields.length === 0 ? '-' : String(fields.length)) },
];

/** Only the first rows are read: a plus says that there may be more. */
function rowsText({ rows, all_rows }: ComparedList): string {
  if (rows === null) return '-';
  return all_rows ? String(rows) : `${rows}+`;
}

function linesBelow(list: ComparedList, verbose: boolean): readonly Cell[] {
  const { style } = markOf(list);
  return [
    ...list.missing.map((text) => ({ text, style })),
    ...list.warnings.map(({ sentence, code }) => ({ text: `warning: ${sentence} [${code}]`, style })),
    ...(verbose && list.fields.length > 0 ? [`fields: ${list.fields.join(', ')}`] : []),
  ];
}
