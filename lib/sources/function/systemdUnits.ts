import { sharedRuns } from '../../async/sharedRuns';
import { ApiError } from '../../errors/ApiError';
import { commonSystemdUnits } from '../../system/commonSystemdUnits';
import { NoSystemd, readUnits } from '../../system/systemd';
import type { UnitState } from '../../system/unitState';
import { rfc3339, rfc3339OfSeconds } from '../../time/time';
import type { FunctionSourceOptions, UnitOptions } from '../SourceOptions';

const SERVED = 'id name category status enabled pid memory_bytes started_at checked_at'.split(' ');

const COMMON: ReadonlyMap<string, UnitOptions> = new Map(commonSystemdUnits.map((unit) => [unit.unit, unit]));

/** The source of services from systemd: the units that the panel names, or the common ones that are installed. */
export function unitRows(listed?: readonly UnitOptions[]): FunctionSourceOptions {
  // A common unit has a default name and category.
  const units = listed?.map((unit) => ({ ...COMMON.get(unit.unit), ...unit })) ?? commonSystemdUnits;
  // One systemctl at a time, however many requests.
  const read = sharedRuns(() => readUnits(units.map(({ unit }) => unit)));
  return {
    fields: SERVED,
    async rows() {
      const states = await read('', null).catch((error) => {
        throw error instanceof NoSystemd ? new ApiError('resource_unavailable', {}, error) : error;
      });
      // Which of the usual units are installed is not known.
      if (!listed && states.every(({ unit }) => unit === null))
        throw new ApiError('unavailable', {}, new Error('systemd does not answer.'));
      const checkedAt = rfc3339(new Date());
      const rows = states.map((state, index) => ({
        ...state,
        name: units[index]?.name ?? state.id,
        category: units[index]?.category ?? null,
        started_at: rfc3339OfSeconds(state.started_at),
        checked_at: checkedAt,
      }));
      return listed ? rows : rows.filter((_, index) => isWorthListing(states, index));
    },
  };
}

// Distributions have several aliases for a service. One of them is enough.
function isWorthListing(states: readonly UnitState[], index: number): boolean {
  const state = states[index];
  if (!state || state.status === 'not_installed') return false;
  return state.unit === null || states.findIndex(({ unit }) => unit === state.unit) === index;
}
