import {
  alwaysDerived,
  bytes,
  derived,
  expiry,
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
import { listOperation } from '../lib/fields/Operation';
import { panelText } from '../lib/masking/credentials';
import { durationMs } from '../lib/time/time';

const SCOPES = ['account', 'website', 'database', 'email', 'server'] as const;

export const backups = listOperation({
  name: 'backups',
  tag: 'SSL and security',
  title: 'Backups',
  item: 'Backup',
  description: 'Every backup that the panel created or is creating.',
  fields: {
    id: required(id('Identifier of the backup.')),
    account_id: id('Identifier of the account whose data the backup contains.', 'accounts'),
    website_id: id(
      'Identifier of the website that the backup contains; null unless the backup contains exactly one website.',
      'websites',
    ),
    scope: word('What was backed up: an account, a website, a database, email or the whole server.', SCOPES),
    contents: textList('Kinds of data in the backup, such as files and databases.'),
    trigger: word('Whether a schedule or a person started the backup.', ['scheduled', 'manual']),
    method: word(
      'Backup method: `full` contains all data, `incremental` the changes since an earlier backup.',
      ['full', 'incremental'],
    ),
    status: required(word('Status of the backup.', ['queued', 'running', 'succeeded', 'partial', 'failed'])),
    started_at: time('Time when the backup started; null while it is queued.'),
    finished_at: time('Time when the backup finished; null until then.'),
    duration_ms: derived(
      milliseconds('Duration of the backup in milliseconds; null until it has finished.'),
      ['started_at', 'finished_at'],
      ({ started_at, finished_at }) => durationMs(started_at, finished_at),
    ),
    size_bytes: bytes('Size of the backup in bytes.'),
    storage: openWord('Kind of storage that holds the backup.', ['local', 's3', 'sftp']),
    file_name: alwaysDerived(
      text('Name of the backup file, without its directory.'),
      ['file_name'],
      ({ file_name }) => baseName(file_name),
    ),
    encrypted: flag('Whether the backup is encrypted.'),
    verified: flag('Whether a check confirmed that the backup can be restored.'),
    expires_at: expiry('Time when the panel will delete the backup; null if it is kept indefinitely.'),
    error: panelText('Reason why the backup failed; null if it did not fail.'),
  },
});

// The address of a stored object may carry a password before its host and a signature after its path.
const ADDRESS = /^[a-z][a-z\d+.-]+:\/\/[^/?#]*([^?#]*)/i;

/** In any other path, a backslash is a character of a name. */
const WINDOWS_PATH = /^(?:[a-z]:[/\\]|\\\\)/i;

/** The last part of a path or address, without any directory; null if nothing is left. */
export function baseName(path: unknown): string | null {
  if (typeof path !== 'string') return null;
  const parts = (ADDRESS.exec(path)?.[1] ?? path).split(WINDOWS_PATH.test(path) ? /[/\\]/ : '/');
  return parts.findLast((part) => part !== '') ?? null;
}
