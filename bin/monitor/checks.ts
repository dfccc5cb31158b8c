import type { PanelClient } from '../../client';
import { ANOTHER_FORM, unexpectedAnswer } from '../../client/PanelApiError';
import type { Arguments, CheckName } from './arguments';
import { checkCertificates } from './certificates';
import { NotChecked, refusal } from './reading';
import { cleaned, type Finding, figure, inWords, named, stateOf, worstOf } from './report';

type Check = (client: PanelClient, options: Arguments, signal: AbortSignal) => Promise<Finding>;

export const checks: Readonly<Record<CheckName, Check>> = {
  health: checkHealth,
  services: checkServices,
  certificates: checkCertificates,
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
    // One that a timer or socket starts is neither enabled nor disabled: null.
    const shouldRun =
      status === 'failed' || (status === 'stopped' && (enabled === true || enabled === undefined));
    if (!shouldRun || ignored.has(id) || ignored.has(name)) continue;
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

/** The times by which a failure belongs to the last hours. Some panels fill in the first only after a success. */
const TIMES = ['finished_at', 'started_at', 'queued_at'];

async function checkFailures(
  name: 'backups' | 'jobs',
  client: PanelClient,
  options: Arguments,
  signal: AbortSignal,
): Promise<Finding> {
  const since = new Date(Date.now() - options.hours * 3_600_000).toISOString();
  const times = name === 'jobs' ? TIMES : TIMES.slice(0, 2);
  // The two lists have the parameters that are used here in common.
  const list = client[name] as PanelClient['jobs'];
  let status = name === 'jobs' ? ['failed'] : ['failed', 'partial'];
  let known = false;
  let total = 0;
  let filters = {};
  for (const time of times) {
    if (total > 0) break;
    const count = async (): Promise<number> => {
      filters = { status, [`${time}_since`]: since };
      const figures = await list.count(filters, { signal });
      // A text would get into the output as it is.
      if (!Number.isSafeInteger(figures.total)) throw unexpectedAnswer(ANOTHER_FORM);
      return figures.total;
    };
    try {
      total = await count().catch((error) => {
        const { parameter, allowed } = refusal(error);
        const words = status.filter((word) => allowed?.includes(word));
        if (parameter !== 'status' || words.length === 0 || words.length === status.length) throw error;
        status = words;
        return count();
      });
      known = true;
    } catch (error) {
      if (refusal(error).parameter === 'status') throw new NotChecked(`${name} (no filter for failed ones)`);
    }
  }
  if (!known) throw new NotChecked(`${name} (no range of times)`);
  const period = inWords(options.hours, 'hour');
  const latest = { ...filters, order: 'desc', limit: 5 } as const;
  const { items } = total === 0 ? { items: [] } : await list.page(latest, { signal });
  const names = items.map(({ id, type }) => `${type ?? 'number'} ${id}`);
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
