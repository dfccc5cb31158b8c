import { parseSystemdTime } from './parseSystemdTime';
import type { UnitProperties } from './parseUnits';

export type UnitStatus = 'running' | 'stopped' | 'failed' | 'starting' | 'not_installed' | 'unknown';

export interface UnitState {
  /** The name that was asked for. */
  id: string;
  /** systemd's own name for it: the same for two aliases of one unit. Null where it is not known. */
  unit: string | null;
  status: UnitStatus;
  /** Whether it starts with the machine; null where systemd has no yes or no for it. */
  enabled: boolean | null;
  pid: number | null;
  memory_bytes: number | null;
  /** Seconds since 1970; null unless it runs. */
  started_at: number | null;
}

const STATUS_OF_STATE: Readonly<Record<string, UnitStatus>> = {
  active: 'running',
  reloading: 'running',
  refreshing: 'running',
  activating: 'starting',
  deactivating: 'stopped',
  inactive: 'stopped',
  failed: 'failed',
};

/** A unit's state from its systemd properties; everything unknown without them. */
export function unitState(id: string, properties: UnitProperties = new Map()): UnitState {
  const status = unitStatus(properties);
  return {
    id,
    unit: properties.get('Id') ?? null,
    status,
    enabled: isEnabled(properties.get('UnitFileState') ?? ''),
    pid: positive(properties.get('MainPID')),
    memory_bytes: positive(properties.get('MemoryCurrent')),
    started_at: status === 'running' ? parseSystemdTime(properties.get('ActiveEnterTimestamp') ?? '') : null,
  };
}

function unitStatus(properties: UnitProperties): UnitStatus {
  const status = STATUS_OF_STATE[properties.get('ActiveState') ?? ''] ?? 'unknown';
  // A unit whose file was removed under it may still run; only one that does not is not installed.
  const gone = properties.get('LoadState') === 'not-found' && (status === 'stopped' || status === 'failed');
  return gone ? 'not_installed' : status;
}

function isEnabled(fileState: string): boolean | null {
  if (fileState.startsWith('enabled')) return true;
  return /^(?:disabled|linked|masked)/.test(fileState) ? false : null;
}

/** Null also for `[not set]` and for the 2^64-1 by which older versions say so. */
function positive(text = ''): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value > 0 && Number.isSafeInteger(value) ? value : null;
}
