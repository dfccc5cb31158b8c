import type { PanelClient } from '../../client';
import { FAILED, isDown } from '../../lib/problems/problems';
import { checkAccounts } from './accounts';
import type { Arguments, Check, CheckName } from './arguments';
import { checkCertificates } from './certificates';
import { readRuns, requireTexts } from './readLists';
import { cleaned, countFinding, type Finding, figure, inWords, named, stateOf, worstOf } from './report';

export const checks: Readonly<Record<CheckName, Check>> = {
  health: checkHealth,
  services: checkServices,
  certificates: checkCertificates,
  accounts: checkAccounts,
  backups: checkFailures('backups'),
  jobs: checkFailures('jobs'),
};

async function checkHealth(client: PanelClient, options: Arguments, signal: AbortSignal): Promise<Finding> {
  const begin = performance.now();
  const health = await client.health({ signal });
  const seconds = (performance.now() - begin) / 1000;
  requireTexts(health.checks.flatMap(({ name, status }) => [name, status]));
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
    requireTexts([status]);
    total += 1;
    if (!isDown({ status, enabled }) || ignored.has(id) || ignored.has(name)) continue;
    if (status === 'failed') down.unshift(`${id} (failed)`);
    else down.push(`${id} (stopped)`);
  }
  const bounds = { ...thresholds.services, max: total };
  return countFinding('services', down, bounds, 'down', `${inWords(total, 'service')} without a failure`);
}

function checkFailures(name: 'backups' | 'jobs'): Check {
  return async (client, { hours, thresholds }, signal) => {
    const since = new Date(Date.now() - hours * 3_600_000);
    const { items: failed } = await readRuns(client, name, FAILED[name], since, signal);
    const names = failed.map(({ id, type }) => `${type ?? 'number'} ${id}`);
    const what = `failed in ${inWords(hours, 'hour')}`;
    return countFinding(name, names, thresholds[name], what, `no ${name} ${what}`);
  };
}
