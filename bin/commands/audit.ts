import type { Command } from 'commander';
import { type AuditEntry, entryJson, MOST_ENTRIES } from '../../lib/audit/AuditLog';
import { actionText, auditTexts, type Detail, type DetailValue, detailsOf } from '../../lib/audit/auditTexts';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { fillText } from '../../lib/text/fillText';
import { durationText, relativeTime } from '../../lib/time/relativeTime';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { parsePast } from '../durations';
import { screen } from '../screen';
import { type Column, formatTable } from '../table';
import { parseId } from '../token';
import { withInstallation } from '../withInstallation';

interface AuditOptions {
  readonly token?: number;
  readonly name?: string;
  readonly actor?: string;
  readonly action?: AuditEntry['action'];
  readonly since?: number;
  readonly until?: number;
  readonly limit: string;
}

export function audit(program: Command): void {
  program
    .command('audit')
    .description('show the audit trail, the newest entries first')
    .option('--token <id>', 'only entries about this token', parseId)
    .option('--name <text>', 'only entries about tokens whose present name contains this text')
    .option('--actor <name>', 'only entries by this person')
    .option('--action <action>', 'only entries of this action, such as token.revoked')
    .option(
      '--since <when>',
      'only entries of the last 12h, 7d, 2w, or since a date, with or without a time',
      parsePast,
    )
    .option('--until <when>', 'only entries before a date, with or without a time, or 7d ago', parsePast)
    .option('--limit <n>', `maximum number of entries, at most ${MOST_ENTRIES}`, '100')
    .action(list);
}

async function list({ token, name, limit, ...filters }: AuditOptions, command: Command): Promise<void> {
  const query = {
    ...filters,
    limit: parseLimit(limit),
    ...(token === undefined ? {} : { tokenId: token }),
    ...(name === undefined ? {} : { tokenName: name }),
  };
  await withInstallation(command, async ({ audit }) => {
    const entries = await audit.list(query);
    const onTerminal = { below: ({ details }: Line) => (details === '' ? [] : [dim(details)]) };
    return {
      json: entries.map(entryJson),
      text:
        entries.length === 0
          ? 'There are no entries.'
          : screen.width === null
            ? formatTable(entries.map(lineOf), [...COLUMNS, DETAILS])
            : formatTable(entries.map(lineOf), COLUMNS, onTerminal),
    };
  });
}

/** Refuses a wrong limit before any table is created. */
function parseLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_ENTRIES) return Number(text);
  throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_ENTRIES}.`);
}

interface Line {
  readonly entry: AuditEntry;
  readonly details: string;
}

function lineOf(entry: AuditEntry): Line {
  return { entry, details: detailsOf(entry).map(detailText).join('; ') };
}

const dim = (text: string) => ({ text, style: 'dim' as const });

const TIME: Column<Line> = { heading: 'TIME', cell: ({ entry }) => rfc3339OfSeconds(entry.at) };
const AGO: Column<Line> = {
  heading: 'WHEN',
  cell: ({ entry }) => relativeTime(entry.at, Math.floor(Date.now() / 1000)),
};

const COLUMNS: readonly Column<Line>[] = [
  { heading: 'ID', cell: ({ entry }) => String(entry.id) },
  screen.width === null ? TIME : AGO,
  { heading: 'WHO', cell: ({ entry }) => entry.actor, least: 8 },
  { heading: 'WHAT', cell: ({ entry }) => knownText(actionText(entry.action), entry.action) },
  { heading: 'TOKEN', cell: ({ entry }) => (entry.tokenId === null ? '-' : String(entry.tokenId)) },
  ...(screen.width === null ? [] : [{ ...TIME, optional: true as const }]),
  { heading: 'ORIGIN', cell: ({ entry }) => entry.origin, optional: true },
  { heading: 'ADDRESS', cell: ({ entry }) => entry.address ?? '-', optional: true },
];

/** The last column, or the lines below an entry on a terminal. */
const DETAILS: Column<Line> = { heading: 'DETAILS', cell: ({ details }) => details };

function detailText({ name, nameKey, from, value }: Detail): string {
  const values = { name: nameKey === null ? name : textOf(nameKey) };
  return from === null
    ? textOf('audit.detail', { ...values, value: valueText(value) })
    : textOf('audit.change', { ...values, from: valueText(from), to: valueText(value) });
}

function valueText(value: DetailValue): string {
  switch (value.kind) {
    case 'words':
      return value.words.join(' ');
    case 'time':
      return value.time;
    case 'duration':
      return durationText(value.seconds);
    case 'token':
      return String(value.id);
    case 'key':
      return textOf(value.key);
    case 'text':
      return value.text.replaceAll('\n', ' ');
  }
}

function textOf(key: keyof typeof auditTexts, values: Readonly<Record<string, string>> = {}): string {
  return fillText(auditTexts[key], values).join('');
}

/** A text without placeholders. A later version may have written an action that has none. */
function knownText(key: keyof typeof auditTexts, otherwise: string): string {
  return Object.hasOwn(auditTexts, key) ? textOf(key) : otherwise;
}
