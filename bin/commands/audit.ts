import { type AuditEntry, type AuditQuery, entryJson, MOST_ENTRIES } from '../../lib/audit/AuditLog';
import {
  actionText,
  auditTexts,
  type Detail,
  type DetailValue,
  detailsOf,
  fillText,
} from '../../lib/audit/auditTexts';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { durationText, rfc3339OfSeconds } from '../../lib/time/time';
import { parsePast } from '../durations';
import type { Definition } from '../onPanel';
import { timeText } from '../Terminal';
import { type Cell, type Column, formatTable } from '../table';
import { parseId } from '../token';
import { given } from '../tokenOptions';

interface AuditOptions extends Pick<AuditQuery, 'actor' | 'action' | 'since' | 'until'> {
  readonly token?: number;
  readonly name?: string;
  readonly limit: string;
}

export const audit: Definition<[AuditOptions]> = {
  description: 'show the audit trail, the newest entries first',
  define: (command) =>
    command
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
      .option('--limit <n>', `maximum number of entries, at most ${MOST_ENTRIES}`, parseLimit, '100'),
  async run({ audit }, { terminal: { screen } }, { token, name, limit, ...filters }) {
    const query = { ...filters, limit: Number(limit), tokenId: token, tokenName: name };
    const entries = await audit.list(given(query));
    const below = screen.width === null ? undefined : detailsBelow;
    const nothing = 'There are no entries.';
    return {
      json: entries.map(entryJson),
      text: entries.length === 0 ? nothing : formatTable(entries, COLUMNS, screen, below),
    };
  },
};

function parseLimit(text: string): string {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_ENTRIES) return text;
  throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_ENTRIES}.`);
}

const time = ({ at }: AuditEntry) => rfc3339OfSeconds(at);

const COLUMNS: readonly Column<AuditEntry>[] = [
  { heading: 'ID', cell: ({ id }) => String(id) },
  { heading: 'TIME', cell: time, only: 'elsewhere' },
  {
    heading: 'WHEN',
    cell: ({ at }, screen) => timeText(at, Math.floor(Date.now() / 1000), screen),
    only: 'terminal',
  },
  { heading: 'WHO', cell: ({ actor }) => actor, narrow: 'cut' },
  { heading: 'WHAT', cell: whatText },
  { heading: 'TOKEN', cell: ({ tokenId }) => String(tokenId ?? '-') },
  { heading: 'TIME', cell: time, only: 'terminal', narrow: 'left out' },
  { heading: 'ORIGIN', cell: ({ origin }) => origin, narrow: 'left out' },
  { heading: 'ADDRESS', cell: ({ address }) => address ?? '-', narrow: 'left out' },
  { heading: 'DETAILS', cell: detailsText, only: 'elsewhere' },
];

function detailsText(entry: AuditEntry): string {
  return detailsOf(entry).map(detailText).join('; ');
}

/** The details on a terminal, which is too narrow for a column of them. */
function detailsBelow(entry: AuditEntry): readonly Cell[] {
  const text = detailsText(entry);
  return text === '' ? [] : [{ text, style: 'dim' }];
}

function detailText({ name, nameKey, from, value }: Detail): string {
  const values = { name: nameKey === null ? name : textOf(nameKey) };
  return from === null
    ? textOf('audit.detail', { ...values, value: valueText(value) })
    : textOf('audit.change', { ...values, from: valueText(from), to: valueText(value) });
}

function valueText(value: DetailValue): string {
  if (value.kind === 'words') return value.words.join(' ');
  if (value.kind === 'time') return value.time;
  if (value.kind === 'duration') return durationText(value.seconds);
  if (value.kind === 'token') return String(value.id);
  if (value.kind === 'number') return String(value.number);
  return value.kind === 'key' ? textOf(value.key) : value.text.replaceAll('\n', ' ');
}

function textOf(key: keyof typeof auditTexts, values: Readonly<Record<string, string>> = {}): string {
  return fillText(auditTexts[key], values).join('');
}

// A later version may have written an action that has no text.
function whatText({ action }: AuditEntry): string {
  return Object.hasOwn(auditTexts, actionText(action)) ? textOf(actionText(action)) : action;
}
