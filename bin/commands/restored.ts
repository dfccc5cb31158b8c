import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { auditTexts, fillText } from '../../lib/audit/auditTexts';
import { linesOf, type PlannedChange, type RestorePlan } from '../../lib/history/Restores';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { confirm } from '../confirm';
import { parsePast } from '../durations';
import { CommandFailure } from '../exit';
import type { Definition, Run } from '../onPanel';
import { SafeText, safeLines, timeText } from '../Terminal';
import { type Column, formatTable } from '../table';
import { checkTimeoutMs } from '../timeouts';
import { parseId } from '../token';

interface RestoredOptions {
  readonly since?: number;
  readonly keep?: readonly number[];
  readonly yes?: boolean;
}

export const restored: Definition<[files: readonly string[], RestoredOptions]> = {
  description: 'end again what a restored database forgot, by the log of the panel',
  timeoutMs: checkTimeoutMs,
  define: (command) =>
    command
      .argument('[files...]', 'logs in lines of JSON; - is standard input (default: the option journal)')
      .option(
        '--since <when>',
        'without a log: revoke every active token that existed at this time',
        parsePast,
      )
      .option('--keep <ids>', 'with --since, the tokens that are not revoked, such as 3,7', parseIds)
      .option('--yes', 'do not ask for confirmation'),
  async run({ restores, options }, run, files, { since, keep, yes }) {
    const { terminal, global } = run;
    const isStdin = files.length === 0 && since === undefined && options.journal === undefined;
    const logs = isStdin ? ['-'] : files;
    const lines = logs.length === 0 ? undefined : readLines(logs, run);
    const plan = await restores.plan({ lines, since, kept: keep });
    const { revoked, narrowed, warnings } = plan;
    const json = planJson(plan);
    const note = warnings.length === 0 ? undefined : safeLines(warnings.map(sentenceOf).join('\n'));
    const isEmpty = since === undefined && plan.lost.length === 0;
    if (isEmpty && !(await restores.lost())) return { json, text: NOTHING_LOST, note };
    if (!global.json) terminal.print(planText(plan, run));
    if (note) terminal.note(note);
    if (!yes && global.json)
      return { json, failure: new CommandFailure('usage', 'Nothing was changed: confirm it with --yes.') };
    const question = `This revokes ${revoked.length} and narrows ${narrowed.length} tokens, and writes that the restore is dealt with.`;
    if (!yes) await confirm(terminal, question, 'Nothing was changed.');
    await restores.carryOut(plan, terminal.author);
    const text = `Revoked: ${revoked.join(', ') || 'none'}. Narrowed: ${narrowed.join(', ') || 'none'}.`;
    return { json, text };
  },
};

const NOTHING_LOST = 'The database has every entry of the log: nothing is to be done.';

function sentenceOf({ kind, ...values }: RestorePlan['warnings'][number]): string {
  return fillText(auditTexts[`audit.lost.${kind}`], values).join('');
}

async function* readLines(files: readonly string[], { terminal: { io } }: Run): AsyncGenerator<string> {
  for (const file of files) {
    yield* linesOf(file === '-' ? io.stdin : createReadStream(resolve(io.cwd, file)), file);
  }
}

function parseIds(text: string): readonly number[] {
  return text.split(',').map(parseId);
}

function planJson({ lost, revoked, narrowed, unread }: RestorePlan) {
  return {
    lost: lost.map(({ entry, at, action, actor, token_id, token_name = null }) => ({
      entry,
      at: rfc3339OfSeconds(at),
      action,
      actor,
      token_id,
      token_name,
    })),
    revoked,
    narrowed,
    unread_lines: unread,
  };
}

function planText({ lost, changes }: RestorePlan, { terminal: { screen } }: Run): SafeText {
  const now = Math.floor(Date.now() / 1000);
  const entries: readonly Column<RestorePlan['lost'][number]>[] = [
    { heading: 'LOST', cell: ({ at }) => rfc3339OfSeconds(at) },
    { heading: 'WHAT', cell: ({ action }) => action },
    { heading: 'WHO', cell: ({ actor }) => actor, narrow: 'cut' },
    { heading: 'TOKEN', cell: ({ token_id }) => String(token_id ?? '-') },
    { heading: 'NAME', cell: ({ token_name = '-' }) => token_name, narrow: 'cut' },
  ];
  const planned: readonly Column<PlannedChange>[] = [
    { heading: 'TOKEN', cell: ({ token }) => String(token.id) },
    { heading: 'NAME', cell: ({ token }) => token.name, narrow: 'cut' },
    { heading: 'LAST USED', cell: ({ token }) => timeText(token.lastUsedAt, now, screen) },
    {
      heading: 'DO AGAIN',
      cell: ({ changes: its }) => (its ? `narrow ${Object.keys(its).join(', ')}` : 'revoke'),
    },
  ];
  const tables = [
    ...(lost.length > 0 ? [formatTable(lost, entries, screen).text] : []),
    ...(changes.length > 0 ? [formatTable(changes, planned, screen).text] : []),
  ];
  return new SafeText(tables.join('\n\n') || 'No token is to be ended.');
}

export const copied: Definition<[{ readonly moved?: boolean; readonly yes?: boolean }]> = {
  description:
    'make this database that of a copy of the panel: revoke all its tokens, and give it an id of its own',
  timeoutMs: checkTimeoutMs,
  define: (command) =>
    command
      .option('--moved', 'it is no copy, but the panel has another name now: keep the tokens')
      .option('--yes', 'do not ask for confirmation'),
  async run({ restores }, { terminal }, { moved, yes }) {
    if (moved) {
      await restores.acceptMove(terminal.author);
      return {
        json: { moved: true },
        text: 'The tokens stay. The database has the name of the option installation, or takes that of the next process.',
      };
    }
    if (!yes) await confirm(terminal, 'This revokes every token of this database.', 'Nothing was changed.');
    const revoked = await restores.makeCopy(terminal.author);
    const tokens = revoked === 1 ? '1 token was' : `${revoked} tokens were`;
    return { json: { revoked }, text: `The database is a copy now: ${tokens} revoked.` };
  },
};
