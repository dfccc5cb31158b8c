import type { FieldKind } from '../fields/Field';
import type { Unit } from './SourceOptions';

/** The units that a field of a kind may be given in, and how many of the field's own one of them is. */
export const UNITS: Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<Unit, number>>>>>> = {
  bytes: { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 },
  milliseconds: { seconds: 1000, minutes: 60_000 },
};

/** How many of the field's own unit one of this unit is. */
export function unitFactor(kind: FieldKind, unit: Unit): number {
  return UNITS[kind]?.[unit] ?? 1;
}
