import type { Command } from 'commander';
import { sayWrong } from '../../lib/checks/checkSource';
import { poolWarnings } from '../../lib/checks/poolWarnings';
import { readFirst } from '../../lib/checks/readFirst';
import type { Installation } from '../../lib/Installation';
import { causeFacts } from '../../lib/log/causeFacts';
import { emptyReport, type Source, type SourceReport } from '../../lib/sources/Source';
import { CommandFailure } from '../CommandFailure';
import { formatTable } from '../formatTable';
import type { GlobalOptions } from '../GlobalOptions';
import { checkPatienceMs } from '../patience';
import { print, printJson, printNote } from '../print';
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
  for (const [resource, source] of installation.sources) {
    const { state, missing, warnings, itemSchema } = await inspected(source, installation);
    const fields = state === 'served' ? Object.keys(itemSchema.properties) : [];
    findings.push({ resource, state, fields, missing, warnings });
  }
  return findings;
}

/** What one source has; whatever goes wrong with it, the others are looked at too. */
async function inspected(
  source: Source,
  installation: Installation,
): Promise<Omit<SourceReport, 'state'> & Pick<Finding, 'state'>> {
  try {
    const report = await source.inspect('all');
    if (report.state !== 'served') return report;
    const wrong = await readFirst(source, FIRST_ROWS, installation).then(() => null, sayWrong);
    return wrong === null ? report : { ...emptyReport('missing', [wrong]), state: 'failed' };
  } catch (error) {
    const facts = Object.values(causeFacts(error)).join(', ');
    return { ...emptyReport('missing', [`It cannot be looked at: ${facts}.`]), state: 'failed' };
  }
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
