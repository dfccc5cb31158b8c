import {
  alwaysDerived,
  bytes,
  derived,
  flag,
  id,
  milliseconds,
  openWord,
  required,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';
import { durationMs } from '../lib/time/time';

export const backups = listOperation({
  name: 'backups',
  scope: 'backups.read',
  tag: 'SSL and security',
  title: 'Backups',
  description: 'Every backup that the panel created or is creating.',
  fields: {
    id: required(id('Identifier of the backup.')),
    account_id: id('The account whose data it holds.', 'accounts'),
    website_id: id('The website that it holds; null if it does not hold exactly one.', 'websites'),
    scope: word('Kind of thing that was backed up.', ['account', 'website', 'database', 'email', 'server']),
    contents: textList('Kinds of data in it, such as files and databases.'),
    trigger: word('Whether a schedule or a person started it.', ['scheduled', 'manual']),
    method: word('Whether it stands alone or builds on an earlier one.', ['full', 'incremental']),
    status: required(word('State of the backup.', ['queued', 'running', 'succeeded', 'partial', 'failed'])),
    started_at: time('When it began; null while it is queued.'),
    finished_at: time('When it ended; null before that.'),
    duration_ms: derived(
      milliseconds('How long it took, in milliseconds; null before its end.'),
      ['started_at', 'finished_at'],
      ({ started_at, finished_at }) => durationMs(started_at, finished_at),
    ),
    size_bytes: bytes('Its size, in bytes.'),
    storage: openWord('Kind of place where it is kept.', ['local', 's3', 'sftp']),
    file_name: alwaysDerived(
      text('Name of its file, without the directory.'),
      ['file_name'],
      ({ file_name }) => baseName(file_name),
    ),
    encrypted: flag('Whether it is encrypted.'),
    verified: flag('Whether it was checked that it can be restored.'),
    expires_at: time('When it will be deleted; null if it is kept.'),
    error: text('Why it failed; null if it did not.'),
  },
});

// The address of a stored object may carry a password before its host and a signature after its path.
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*([^?#]*)/i;

/** The last part of a path or address, without any directory; null if nothing is left. */
export function baseName(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  const parts = (ADDRESS.exec(path)?.[1] ?? path).split(/[/\\]/);
  return parts.findLast((part) => part !== '') ?? null;
}
