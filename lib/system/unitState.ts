/** The properties of one unit, by systemd's names. */
export type UnitProperties = ReadonlyMap<string, string>;

/** Units by each of their names. */
export type Units = ReadonlyMap<string, UnitProperties>;

const CALENDAR = /^(?:[A-Z][a-z]{2} )?(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? UTC$/;

/** Seconds since 1970 of a time such as `Fri 2026-06-12 00:00:00 UTC`; null for "never" and anything else. */
export function parseSystemdTime(text: string): number | null {
  const [, day, clock] = CALENDAR.exec(text) ?? [];
  const seconds = Date.parse(`${day}T${clock}Z`) / 1000;
  return seconds > 0 ? seconds : null;
}

type UnitStatus = 'running' | 'stopped' | 'failed' | 'starting' | 'not_installed' | 'unknown';

export interface UnitState {
  /** The requested name. */
  id: string;
  /** systemd's own name for the unit, which is the same for all its aliases. Null if systemd does not know it. */
  unit: string | null;
  status: UnitStatus;
  /** Whether it starts with the machine; null if systemd reports neither yes nor no. */
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

/** A unit's state from its systemd properties and those of other units; all unknown without them. */
export function unitState(
  id: string,
  properties: UnitProperties = new Map(),
  units: Units = new Map(),
): UnitState {
  const status = statusAmong(properties, units);
  const fileStates = triggersOf(properties).map((name) => units.get(name)?.get('UnitFileState') ?? '');
  const isActive = STATUS_OF_STATE[properties.get('ActiveState') ?? ''] === 'running';
  return {
    id,
    unit: properties.get('Id') ?? null,
    status,
    enabled: fileStates.some(isEnabled) ? true : isEnabled(properties.get('UnitFileState') ?? ''),
    pid: positive(properties.get('MainPID')),
    memory_bytes: positive(properties.get('MemoryCurrent')),
    started_at:
      isActive && status === 'running'
        ? parseSystemdTime(properties.get('ActiveEnterTimestamp') ?? '')
        : null,
  };
}

/**
 * The status of a unit. One that does not run, but that a socket, a timer or a path starts when it is needed, is at work
 * as long as that waits. One that only groups others has their status.
 */
function statusAmong(properties: UnitProperties, units: Units): UnitStatus {
  const status = ownStatus(properties);
  const statusesOf = (names: readonly string[]) =>
    names.flatMap((name) => ownStatus(units.get(name) ?? new Map()));
  if (status === 'stopped')
    return statusesOf(triggersOf(properties)).includes('running') ? 'running' : status;
  const members = status === 'running' ? statusesOf(membersOf(properties)) : [];
  return GROUP_STATUSES.find((one) => members.includes(one)) ?? status;
}

/** The status of a group: the first of these that one of its members has. */
const GROUP_STATUSES: readonly UnitStatus[] = ['failed', 'starting', 'running', 'stopped'];

/** The units that start this one when it is needed. */
export function triggersOf(properties: UnitProperties): readonly string[] {
  const triggers = namesIn(properties.get('TriggeredBy'));
  if (triggers.length > 0 || ownStatus(properties) !== 'stopped') return triggers;
  // A socket that starts an instance for each connection is no trigger of the service with its name.
  return [(properties.get('Id') ?? '').replace(/\.service$/, '.socket')];
}

/** The units that start and stop with this one, if it has no process of its own. */
export function membersOf(properties: UnitProperties): readonly string[] {
  const isGroup = properties.get('Type') === 'oneshot' || properties.get('Id')?.endsWith('.target') === true;
  return isGroup ? namesIn(properties.get('ConsistsOf')) : [];
}

function namesIn(text = ''): readonly string[] {
  return text.split(' ').filter((name) => name !== '');
}

function ownStatus(properties: UnitProperties): UnitStatus {
  const [sub = '', type] = ['SubState', 'Type'].map((name) => properties.get(name));
  const isOneshot = type === 'oneshot';
  const status = STATUS_OF_STATE[properties.get('ActiveState') ?? ''] ?? 'unknown';
  // The processes of a service have ended, and systemd was told to call it active nevertheless.
  if (status === 'running' && sub === 'exited' && type !== undefined && !isOneshot) return 'stopped';
  if (status === 'starting') {
    const hasFailed = sub.startsWith('auto-restart')
      ? properties.get('Result') !== 'success'
      : positive(properties.get('NRestarts')) !== null;
    if (hasFailed) return 'failed';
    // It is active only after its work.
    return isOneshot && sub === 'start' ? 'running' : status;
  }
  // A unit whose file was removed may still run. Only one that does not is not installed.
  const gone = properties.get('LoadState') === 'not-found' && (status === 'stopped' || status === 'failed');
  return gone ? 'not_installed' : status;
}

function isEnabled(fileState: string): boolean | null {
  if (fileState.startsWith('enabled')) return true;
  return /^(?:disabled|linked|masked)/.test(fileState) ? false : null;
}

/** Returns null also for `[not set]`, which older versions write as 2^64-1. */
function positive(text = ''): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value > 0 && Number.isSafeInteger(value) ? value : null;
}
