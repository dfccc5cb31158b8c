import { fullUnitName } from './fullUnitName';
import { parseUnits } from './parseUnits';
import { type RunSystemctl, runSystemctl } from './runSystemctl';
import { type UnitState, unitState } from './unitState';

const PROPERTIES =
  'Id,Names,LoadState,ActiveState,SubState,UnitFileState,MainPID,MemoryCurrent,ActiveEnterTimestamp';

/**
 * The state of each unit asked for, in that order, by one call of systemctl. Never rejects: where systemd
 * does not answer, and for a name that cannot be a unit's, the state is `unknown`.
 */
export async function readUnits(
  names: readonly string[],
  run: RunSystemctl = runSystemctl,
): Promise<UnitState[]> {
  const asked = names.map((name) => ({ name, full: fullUnitName(name) ?? '' }));
  const valid = [...new Set(asked.map(({ full }) => full).filter((full) => full !== ''))];
  const found = parseUnits(valid.length > 0 ? await show(valid, run) : '');
  return asked.map(({ name, full }) => unitState(name, found.get(full)));
}

async function show(units: readonly string[], run: RunSystemctl): Promise<string> {
  try {
    return await run(['show', `--property=${PROPERTIES}`, '--', ...units]);
  } catch {
    return '';
  }
}
