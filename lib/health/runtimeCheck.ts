import type { CheckResult, ReleaseCheck } from './runCheck';

/** The last day of support of each line of Node, from the release schedule of the Node project. */
const LAST_DAYS: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** The line that was tested of each runtime that mends its newest release alone, and names no last days. */
const TESTED = { bun: ['Bun', 1, 4], deno: ['Deno', 2, 9] } as const;

type Versions = Readonly<Record<string, string | undefined>>;

/** Returns the check of the runtime that runs this, by its `process.versions`. */
export function runtimeCheck(versions: Versions = process.versions, now = new Date()): ReleaseCheck {
  // Both also name the version of Node whose interfaces they have.
  const id = versions.bun ? 'bun' : versions.deno ? 'deno' : 'node';
  const [major = 0, minor = 0] = (versions[id] ?? '').split('.').map(Number);
  const name = id === 'node' ? 'Node.js' : TESTED[id][0];
  return {
    id,
    title: id === 'node' ? 'Node.js release line is supported' : `${name} release line was tested`,
    run: () => (id === 'node' ? checkNode(major, now) : checkTested(id, major, minor)),
  };
}

/** Checks whether Node's line still gets security fixes. */
function checkNode(line: number, now: Date): CheckResult {
  const lastDay = LAST_DAYS[line];
  if (lastDay === undefined)
    return {
      status: 'warn',
      detail: `Node.js ${line} is not a long-term support line that this version of the module knows.`,
    };
  const supported = now < new Date(`${lastDay}T23:59:59Z`);
  return supported
    ? { status: 'pass', detail: `Node.js ${line} is supported until ${lastDay}.` }
    : { status: 'warn', detail: `Support for Node.js ${line} ended on ${lastDay}.` };
}

function checkTested(id: keyof typeof TESTED, major: number, minor: number): CheckResult {
  const [name, testedMajor, testedMinor] = TESTED[id];
  const isTested = major === testedMajor && minor >= testedMinor;
  const detail = `${name} is ${major}.${minor}. This version of the module was tested with ${testedMajor}.${testedMinor}, and ${name} mends its newest release alone.`;
  return { status: isTested ? 'pass' : 'warn', detail };
}
