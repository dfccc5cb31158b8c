import type { Command } from 'commander';
import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { printable } from '../../lib/errors/printable';
import { checkReferences, poolWarnings, readFirst, sayWrong } from '../../lib/health/checks';
import type { Installation } from '../../lib/Installation';
import { causeFacts } from '../../lib/log/PanelLog';
import { emptyReport, type Source, type SourceReport } from '../../lib/sources/Source';
import type { GlobalOptions } from '../arguments';
import { checkPatienceMs } from '../connect';
import { CommandFailure } from '../exit';
import { formatTable, print, printJson, printNote } from '../output';
import { withInstallation } from '../withInstallation';

/** Enough to see a join that doubles rows. */
const FIRST_ROWS = 1000;

interface Finding extends Pick<SourceReport, 'missing' | 'warnings'> {
  readonly resource: string;
  /** `failed` where the look itself went wrong. */
  readonly state: SourceReport['state'] | 'failed';
  readonly fields: readonly string[];
}

export function check(program: Command): void {
  program
    .command('check')
    .description('compare the sources of the lists with the live database')
    .action(compare);
}

async function compare(_options: object, command: Command): Promise<void> {
  await withInstallation(command, {
    tables: false,
    patience: checkPatienceMs,
    async run(installation, json) {
      if (command.optsWithGlobals<GlobalOptions>().config === undefined) {
        printNote('Compared without the sources of the mount: --config FILE names them.');
      } else {
        for (const warning of poolWarnings(installation.options.db)) printNote(`warning: ${warning}`);
      }
      // A table of the panel's by the name of one of the module's ends it here.
      await installation.migrations.pending();
      const findings = await inspectAll(installation);
      if (json) printJson(findings);
      else print(formatTable(['RESOURCE', 'STATE', 'FINDINGS'], findings.flatMap(rowsOf)));
      const missing = findings.filter(({ state }) => state === 'missing' || state === 'failed').length;
      if (missing > 0)
        throw new CommandFailure('missing', `${missing} of ${findings.length} lists cannot be served.`);
    },
  });
}

async function inspectAll(installation: Installation): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const messages = databaseMessages(installation);
  for (const [resource, source] of installation.sources) {
    messages.clear();
    const { state, itemSchema, ...found } = await inspected(resource, source, installation);
    const fields = state === 'served' ? Object.keys(itemSchema.properties) : [];
    const missing = explained(found.missing, messages);
    findings.push({ resource, state, fields, missing, warnings: explained(found.warnings, messages) });
  }
  return findings;
}

/** What one source has; whatever goes wrong with it, the others are looked at too. */
async function inspected(
  resource: string,
  source: Source,
  installation: Installation,
): Promise<Omit<SourceReport, 'state'> & Pick<Finding, 'state'>> {
  try {
    const report = await source.inspect('all');
    if (report.state !== 'served') return report;
    const wrong = await readFirst(source, FIRST_ROWS, installation).then(() => null, sayWhere);
    if (wrong !== null) return failed(wrong);
    const references = await checkReferences(resource, report, installation);
    return { ...report, warnings: [...report.warnings, ...references] };
  } catch (error) {
    return failed(`It cannot be looked at: ${Object.values(causeFacts(error)).join(', ')}.`);
  }
}

/** What is wrong with the rows, and where a function of the panel's threw. */
function sayWhere(error: unknown): string {
  const { cause, cause_at: place } = causeFacts(error);
  return `${sayWrong(error)}${place === undefined ? '' : ` It was a ${cause} at ${place}.`}`;
}

/**
 * The database's own messages about statements that do not fit it, by their codes, as they come. They may hold what is
 * for no log and no answer, so they are overheard here alone.
 */
function databaseMessages({ database, options }: Installation): Map<string, string> {
  const messages = new Map<string, string>();
  options.db.on('query-error', (error: Error & { sqlMessage?: string }, { sql }: { sql: string }) => {
    const failure = DatabaseFailure.from('', error);
    if (!database.dialect.isStatementFailure(failure)) return;
    // knex puts the statement in front.
    const message = error.sqlMessage ?? error.message.replace(`${sql} - `, () => '');
    messages.set(failure.code, printable(message, 300));
  });
  return messages;
}

/** The findings, and what the database says where one of them gives its code. */
function explained(findings: readonly string[], messages: ReadonlyMap<string, string>): readonly string[] {
  const told = [...messages].filter(([code]) => findings.some((finding) => finding.includes(`(${code})`)));
  return [...findings, ...told.map(([, message]) => `The database says: ${message}`)];
}

function failed(why: string): Omit<SourceReport, 'state'> & { readonly state: 'failed' } {
  return { ...emptyReport('missing', [why]), state: 'failed' };
}

/** A line of the table for each thing that was found. */
function rowsOf({ resource, state, fields, missing, warnings }: Finding): readonly (readonly string[])[] {
  const lines = [
    ...(fields.length > 0 ? [`fields: ${fields.join(', ')}`] : []),
    ...missing,
    ...warnings.map((text) => `warning: ${text}`),
  ];
  if (lines.length === 0) return [[resource, state, '-']];
  return lines.map((line, index) => (index === 0 ? [resource, state, line] : ['', '', line]));
}
