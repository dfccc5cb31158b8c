import { rfc3339OfSeconds } from '../time/time';
import type { LostHistory } from './History';
import type { LostLines } from './lostLines';

/** What a plan leaves open: the text `audit.lost.` and the kind, and its values. */
export interface RestoreWarning {
  readonly kind: 'missing' | 'unread' | 'uncertain' | 'created' | 'disabled' | 'settings';
  readonly values: string;
}

interface Found extends LostLines {
  /** That the database was set back, if that is known. */
  readonly known: LostHistory | null;
  /** Whether the API is on now, as far as it is a setting. */
  readonly isOn: boolean;
}

/** What an administrator must know of entries that are lost, and of those that the lines do not have. */
export function restoreWarnings({ lost, unread, known, isOn }: Found): readonly RestoreWarning[] {
  const of = (action: string) => lost.filter((line) => line.action === action);
  const last = lost.findLast(({ action }) => action === 'api.disabled' || action === 'api.enabled');
  // Null and 0 are nothing to warn of.
  const values: Readonly<Record<RestoreWarning['kind'], readonly (string | number | null)[]>> = {
    missing: [missingEntries(lost, known)],
    unread: [unread],
    uncertain: lost.map(({ entry, uncertain }) => (uncertain ? entry : null)),
    created: of('token.created').map(({ token_id }) => token_id),
    disabled: [isOn && last?.action === 'api.disabled' ? rfc3339OfSeconds(last.at) : null],
    settings: of('settings.changed').flatMap(({ details }) => Object.keys(details)),
  };
  return Object.entries(values)
    .map(([kind, some]) => ({
      kind: kind as RestoreWarning['kind'],
      values: [...new Set(some)].filter(Boolean).join(', '),
    }))
    .filter((warning) => warning.values !== '');
}

/** How many entries are in no line, if the newest known one is in none. */
function missingEntries(lost: LostLines['lost'], history: LostHistory | null): number {
  if (!history) return 0;
  const { newest, known } = history;
  if (lost.some(({ entry, at }) => entry === known.entry && at === known.at)) return 0;
  const first = newest?.entry ?? 0;
  const ids = lost.map(({ entry }) => entry).filter((entry) => first < entry && entry < known.entry);
  return known.entry - first - new Set(ids).size;
}
