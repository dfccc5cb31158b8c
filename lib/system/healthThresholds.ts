/**
 * From which value on a server counts as `warning` or `critical`: the fullest disk and the memory in percent,
 * the load average of five minutes per processor core.
 */
export const healthThresholds = {
  disk: { warning: 90, critical: 97 },
  memory: { warning: 90, critical: 97 },
  load: { warning: 2, critical: 4 },
} as const;
