import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  membersOf,
  triggersOf,
  type UnitProperties,
  type UnitState,
  type Units,
  unitState,
} from './unitState';

const PROPERTIES =
  'Id,Names,LoadState,ActiveState,SubState,Result,Type,NRestarts,UnitFileState,MainPID,MemoryCurrent,' +
  'ActiveEnterTimestamp,TriggeredBy,ConsistsOf';

/**
 * Reads the state of each unit, in the order of the names, with one call of systemctl, and a second one if a state
 * depends on other units. The state is `unknown` if systemd does not answer, or if a name is invalid. Rejects with a
 * NoSystemd if systemd does not run on this machine.
 */
export async function readUnits(
  names: readonly string[],
  run: typeof runSystemctl = runSystemctl,
): Promise<UnitState[]> {
  const asked = names.map((name) => ({ name, full: fullUnitName(name) ?? '' }));
  const show = async (units: readonly string[]): Promise<Units> => {
    const valid = [...new Set(units)].filter((unit) => unit !== '');
    const output = valid.length > 0 && run(['show', `--property=${PROPERTIES}`, '--', ...valid]);
    return parseUnits((await Promise.resolve(output).catch(unlessAbsent)) || '');
  };
  const found = await show(asked.map(({ full }) => full));
  const others = [...found.values()].flatMap((unit) => [...triggersOf(unit), ...membersOf(unit)]);
  const all = new Map([...(await show(others.filter((unit) => !found.has(unit)))), ...found]);
  return asked.map(({ name, full }) => unitState(name, found.get(full), all));
}

/** There is no systemctl, or systemd does not run: the machine has no services that it could report. */
export class NoSystemd extends Error {
  override readonly name = 'NoSystemd';

  constructor() {
    super(
      'systemd does not run on this machine: name the services in another way, or set the source to false.',
    );
  }
}

function unlessAbsent(error: unknown): string {
  const { code, message } = error as Error & { code?: unknown };
  if (code === 'ENOENT' || message.includes('not been booted with systemd')) throw new NoSystemd();
  return '';
}

const execFileAsync = promisify(execFile);

/**
 * Runs the machine's own systemctl with these arguments and returns its output, without a shell, in English and UTC, for
 * two seconds at most. Rejects if there is none, if systemd does not run here, on a time-out and on any exit code but 0.
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

/**
 * The units in the output of `systemctl show`, by each of their names. The output consists of blocks of `Name=value`
 * lines, separated by empty lines. An alias has the same properties as its unit.
 */
function parseUnits(output: string): Units {
  const units = new Map<string, UnitProperties>();
  for (const block of output.split(/\n\s*\n/)) {
    const lines = block.matchAll(/(?<![^\n])([^=\n]+)=([^\n]*)/g);
    const properties = new Map([...lines].map(([, name = '', value = '']) => [name, value.trim()]));
    const names = [properties.get('Id') ?? '', ...(properties.get('Names') ?? '').split(' ')];
    for (const name of names) if (name !== '') units.set(name, properties);
  }
  return units;
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
