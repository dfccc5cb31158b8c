import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const PROPERTIES = 'Id,Names,LoadState,ActiveState,UnitFileState,MainPID,MemoryCurrent,ActiveEnterTimestamp';

/**
 * Reads the state of each unit, in the order of the names, with one call of systemctl. Never rejects: the state is
 * `unknown` if systemd does not answer, or if a name is invalid.
 */
export async function readUnits(
  names: readonly string[],
  run: RunSystemctl = runSystemctl,
): Promise<UnitState[]> {
  const asked = names.map((name) => ({ name, full: fullUnitName(name) ?? '' }));
  const valid = [...new Set(asked.map(({ full }) => full).filter((full) => full !== ''))];
  const show = () => run(['show', `--property=${PROPERTIES}`, '--', ...valid]).catch(() => '');
  const found = parseUnits(valid.length > 0 ? await show() : '');
  return asked.map(({ name, full }) => unitState(name, found.get(full)));
}

/** Runs systemctl with these arguments and returns its output; rejects if it fails. */
type RunSystemctl = (args: readonly string[]) => Promise<string>;

const execFileAsync = promisify(execFile);

/**
 * Runs the machine's own systemctl, without a shell, in English and UTC, for two seconds at most. Rejects if there is
 * none, if systemd does not run here, on a time-out and on any exit code but 0.
 */
export async function runSystemctl(args: readonly string[]): Promise<string> {
  const { stdout } = await execFileAsync('systemctl', [...args], {
    timeout: 2000,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', SYSTEMD_COLORS: '0' },
  });
  return stdout;
}

/** The properties of one unit, by systemd's names. */
type UnitProperties = ReadonlyMap<string, string>;

/**
 * The units in the output of `systemctl show`, by each of their names. The output consists of blocks of `Name=value`
 * lines, separated by empty lines. An alias has the same properties as its unit.
 */
function parseUnits(output: string): ReadonlyMap<string, UnitProperties> {
  const units = new Map<string, UnitProperties>();
  for (const block of output.split(/\n\s*\n/)) {
    const properties = parseBlock(block);
    const names = [properties.get('Id') ?? '', ...(properties.get('Names') ?? '').split(' ')];
    for (const name of names) if (name !== '') units.set(name, properties);
  }
  return units;
}

function parseBlock(block: string): UnitProperties {
  const properties = new Map<string, string>();
  for (const line of block.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0) properties.set(line.slice(0, equals), line.slice(equals + 1).trim());
  }
  return properties;
}

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

/** A unit's state from its systemd properties; all unknown without them. */
function unitState(id: string, properties: UnitProperties = new Map()): UnitState {
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

const UNIT_NAME = /^[A-Za-z0-9:_.@\\-]+$/;
const UNIT_TYPES = /\.(?:service|socket|target|timer|path|mount|automount|swap|slice|scope|device)$/;
const MAX_LENGTH = 255;

/**
 * Returns a unit's name with its type, `.service` by default (man 5 systemd.unit); null if it is invalid. Bare numbers
 * become services too, which systemctl would read as job numbers. A template without an instance (`foo@`) is null,
 * because it would make systemctl fail for all other names.
 */
export function fullUnitName(name: string): string | null {
  if (!UNIT_NAME.test(name) || name.startsWith('-')) return null;
  const full = UNIT_TYPES.test(name) ? name : `${name}.service`;
  const base = full.slice(0, full.lastIndexOf('.'));
  if (base === '' || base.startsWith('@') || base.indexOf('@') === base.length - 1) return null;
  return full.length <= MAX_LENGTH ? full : null;
}
