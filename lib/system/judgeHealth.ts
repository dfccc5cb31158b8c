import { healthThresholds } from './healthThresholds';

export const HEALTH_STATUSES = ['ok', 'warning', 'critical'] as const;

export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** What is judged; null where the machine did not tell. */
export interface JudgedFigures {
  diskPercents: readonly (number | null)[];
  memoryPercent: number | null;
  loadPerCore: number | null;
}

/** The worst status that a figure reaches by `healthThresholds`; a figure that is not known changes nothing. */
export function judgeHealth({ diskPercents, memoryPercent, loadPerCore }: JudgedFigures): HealthStatus {
  const statuses = [
    ...diskPercents.map((percent) => judge(percent, healthThresholds.disk)),
    judge(memoryPercent, healthThresholds.memory),
    judge(loadPerCore, healthThresholds.load),
  ];
  if (statuses.includes('critical')) return 'critical';
  return statuses.includes('warning') ? 'warning' : 'ok';
}

function judge(value: number | null, limits: { warning: number; critical: number }): HealthStatus {
  if (value === null || value < limits.warning) return 'ok';
  return value < limits.critical ? 'warning' : 'critical';
}
