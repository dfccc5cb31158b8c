import type { Item, PanelClient } from '../../client';
import { BACKUP_TIMES, FAILED, firstTime, isDown, RUN_TIMES } from '../../lib/problems/judge';
import { checkAccounts } from './accounts';
import type { Arguments, CheckName } from './arguments';
import { checkCertificates } from './certificates';
import { NotChecked, refusal } from './reading';
import { cleaned, type Finding, figure, inWords, named, stateOf, worstOf } from './report';

type Check = (client: PanelClient, options: Arguments, signal: AbortSignal) => Promise<Finding>;

export const checks: Readonly<Record<CheckName, Check>> = {
  health: checkHealth,
  services: checkServices,
  certificates: checkCertificates,
  accounts: checkAccounts,
  backups: (...given) => checkFailures('backups', ...given),
  jobs: (...given) => checkFailures('jobs', ...given),
};

async function checkHealth(client: PanelClient, options: Arguments, signal: AbortSignal): Promise<Finding> {
  const begin = performance.now();
  const health = await client.health({ signal });
  const seconds = (performance.now() - begin) / 1000;
  const bounds = options.thresholds.response;
  const faults = health.checks
    .filter(({ name, status }) => status !== 'pass' && !options.ignored.has(name))
    .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'));
  const late = stateOf(seconds, bounds);
  const texts = faults.map(({ name, detail }) => (detail === null ? name : `${name} (${cleaned(detail)})`));
  const sentences = [
    faults.length > 0 && `${inWords(faults.length, 'part')} of the API failed or warned: ${named(texts)}`,
    late !== 'OK' && `the answer took ${seconds.toFixed(1)} seconds`,
  ].filter(Boolean);
  return {
    state: worstOf([late, ...faults.map(({ status }) => (status === 'fail' ? 'CRITICAL' : 'WARNING'))]),
    text: sentences.join('; ') || 'the API answers',
    figures: [
      figure('response', `${seconds.toFixed(3)}s`, bounds),
      figure('health', faults.length, { max: health.checks.length }),
    ],
  };
}

async function checkServices(client: PanelClient, options: Arguments, signal: AbortSignal): Promise<Finding> {
  const { ignored, thresholds } = options;
  const down: string[] = [];
  let total = 0;
  for await (const { id, name, status, enabled } of client.services({}, { signal })) {
    total += 1;
    if (!isDown({ status, enabled }) || ignored.has(id) || ignored.has(name)) continue;
    if (status === 'failed') down.unshift(`${id} (failed)`);
    else down.push(`${id} (stopped)`);
  }
  return {
    state: stateOf(down.length, thresholds.services),
    text:
      down.length === 0
        ? `${inWords(total, 'service')} without a failure`
        : `${inWords(down.length, 'service')} down: ${named(down)}`,
    figures: [figure('services', down.length, { ...thresholds.services, max: total })],
  };
}

async function checkFailures(
  name: 'backups' | 'jobs',
  client: PanelClient,
  options: Arguments,
  signal: AbortSignal,
): Promise<Finding> {
  const since = new Date(Date.now() - options.hours * 3_600_000);
  // The two lists have the parameters that are used here in common.
  const list = client[name] as PanelClient['jobs'];
  let status: readonly string[] = FAILED[name];
  const count = async (filters: object): Promise<number> => {
    try {
      return (await list.count({ status: [...status], ...filters } as never, { signal })).total;
    } catch (error) {
      const { parameter, allowed } = refusal(error);
      if (parameter !== 'status') throw error;
      const words = status.filter((word) => allowed?.includes(word));
      if (words.length === 0 || words.length === status.length)
        throw new NotChecked(`${name} (no filter for failed ones)`);
      status = words;
      return count(filters);
    }
  };
  /** Counts the rows that match, without those that have one of the other times, whenever that was. */
  const countWithout = async (ranges: object, [other, ...others]: readonly string[]): Promise<number> => {
    const rows = other === undefined ? await count(ranges) : await countWithout(ranges, others);
    if (rows === 0 || other === undefined) return rows;
    return rows - (await countWithout({ [`${other}_since`]: FIRST_DAY, ...ranges }, others));
  };
  const times: string[] = [];
  const shown: Item<'jobs'>[] = [];
  let total = 0;
  for (const time of name === 'jobs' ? RUN_TIMES : BACKUP_TIMES) {
    const recent = { [`${time}_since`]: since };
    const rows = await countWithout(recent, times).catch((error) => {
      // The list has no range of this time.
      refusal(error);
      return null;
    });
    if (rows === null) continue;
    times.push(time);
    if (rows <= 0) continue;
    total += rows;
    const latest = { status: [...status], ...recent, order: 'desc', limit: MOST_SHOWN } as const;
    const { items } = await list.page(latest as never, { signal });
    shown.push(...items.filter((item) => firstTime(item, times) === time));
  }
  if (times.length === 0) throw new NotChecked(`${name} (no range of times)`);
  const period = inWords(options.hours, 'hour');
  const names = shown.map(({ id, type }) => `${type ?? 'number'} ${id}`);
  const bounds = options.thresholds[name];
  return {
    state: stateOf(total, bounds),
    text:
      total === 0
        ? `no ${name} failed in ${period}`
        : `${inWords(total, name.slice(0, -1))} failed in ${period}${names.length > 0 ? `: ${named(names, total)}` : ''}`,
    figures: [figure(name, total, bounds)],
  };
}

/** The rows of a page of which the names are shown. */
const MOST_SHOWN = 5;

/** Every time is of this day or later. */
const FIRST_DAY = '0001-01-01';
