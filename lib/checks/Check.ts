export const CHECK_STATUSES = ['pass', 'warn', 'fail'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The worst of several; pass where there is none. */
export function worstStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return [...CHECK_STATUSES].reverse().find((status) => statuses.includes(status)) ?? 'pass';
}
