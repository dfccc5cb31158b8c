import type { CheckResult } from '../options/MountOptions';

/** The last day of support of each line of Node, from the release schedule of the Node project. */
const LAST_DAYS: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** Whether Node's line still gets security fixes. */
export function checkNode(version: string, now: Date): CheckResult {
  const line = /^v?(\d+)/.exec(version)?.[1] ?? '';
  const lastDay = LAST_DAYS[line];
  if (lastDay === undefined)
    return { status: 'warn', detail: `Node ${line} is no long-term line that is known here.` };
  const supported = now < new Date(`${lastDay}T23:59:59Z`);
  return supported
    ? { status: 'pass', detail: `Node ${line} is supported until ${lastDay}.` }
    : { status: 'warn', detail: `Support of Node ${line} ended on ${lastDay}.` };
}
