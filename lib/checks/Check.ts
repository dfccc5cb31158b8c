export const CHECK_STATUSES = ['pass', 'warn', 'fail'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The worst of several; pass where there is none. */
export function worstStatus(statuses: readonly CheckStatus[]): CheckStatus {
  return [...CHECK_STATUSES].reverse().find((status) => statuses.includes(status)) ?? 'pass';
}

/** A check that the panel adds to `release-audit.php`. */
export interface ReleaseCheck {
  readonly id: string;
  readonly title: string;
  /** What the check found; a rejection counts as a failure without detail. */
  readonly run: () => CheckResult | Promise<CheckResult>;
}

export interface CheckResult {
  readonly status: CheckStatus;
  readonly detail?: string;
}
