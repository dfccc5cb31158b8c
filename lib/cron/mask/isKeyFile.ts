import { splitKeyWords } from '../../settings/splitKeyWords';

const FILE_NAMES = /^(?:(?:private|ssl|tls|ssh|client|server|host|application) )?(?:key|credentials?)$/;
const PATH = /^(?:~|\.{1,2})?\/.*[./]/;

/**
 * Whether the value names a file in place of the secret itself, as in `--key=/etc/ssl/site.key`. Only for names
 * that are used so: a password may well begin with a slash.
 */
export function isKeyFile(name: string, value: string): boolean {
  return FILE_NAMES.test(splitKeyWords(name).slice(-2).join(' ')) && PATH.test(value);
}
