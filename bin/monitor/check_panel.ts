#!/usr/bin/env node
import { createClient, PanelApiError, type PanelClient } from '../../client';
import { type Arguments, type CheckName, readArguments, USAGE, UsageError } from './arguments';
import { checks } from './checks';
import { NotChecked } from './reading';
import { cleaned, type Finding, outputOf, STATES, type State, stateOfAll } from './report';

// Node's own exit code of an error, 1, would be a warning.
process.on('uncaughtException', (error) => end('UNKNOWN', `PANEL UNKNOWN - ${cleaned(error)}\n`));

void main();

async function main(): Promise<void> {
  try {
    const options = readArguments(process.argv.slice(2), process.env);
    if (options === null) return end('UNKNOWN', USAGE);
    const findings = await runChecks(options);
    end(stateOfAll(findings), outputOf(findings));
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof TypeError;
    end('UNKNOWN', `PANEL UNKNOWN - ${isUsage ? error.message : cleaned(error)} See check_panel --help.\n`);
  }
}

/** Runs the checks one after another, until one shows that the others would end in the same way. */
async function runChecks(options: Arguments): Promise<readonly Finding[]> {
  const { url, token, allowHttp, timeoutSeconds } = options;
  const client = createClient({ baseUrl: url, token, allowHttp, timeoutSeconds, maxWaitSeconds: 0 });
  const over = new AbortController();
  setTimeout(() => over.abort(new Late(timeoutSeconds)), timeoutSeconds * 1000).unref();
  const findings: Finding[] = [];
  for (const name of options.checks) {
    try {
      findings.push(await checks[name](client, options, over.signal));
    } catch (error) {
      findings.push(await findingOf(name, error, client, options, over.signal));
      if (!concernsOne(name, error)) break;
    }
  }
  return findings;
}

class Late extends Error {
  constructor(seconds: number) {
    super(`not done within ${seconds} s`);
  }
}

/** Whether other checks may end in another way. */
function concernsOne(name: CheckName, error: unknown): boolean {
  const code = error instanceof PanelApiError ? (error.code ?? '') : '';
  if (code === 'unavailable') return name !== 'health';
  const codes = ['scope_missing', 'query_invalid', 'resource_unavailable', 'internal_error'];
  return error instanceof NotChecked || codes.includes(code);
}

async function findingOf(check: CheckName, error: unknown, ...given: Given): Promise<Finding> {
  if (error instanceof NotChecked) return skip(error.message);
  const isAbsent = error instanceof PanelApiError && error.code === 'resource_unavailable';
  if (!isAbsent || check === 'health') return failureOf(check, error);
  return absence(check, ...given).catch((cause) => failureOf(check, cause));
}

function failureOf(check: CheckName, error: unknown): Finding {
  if (!(error instanceof PanelApiError)) return { state: 'CRITICAL', text: `${check}: ${reasonOf(error)}` };
  const { code, status, message, details } = error;
  const state = code === null || status >= 500 ? 'CRITICAL' : 'UNKNOWN';
  return { state, text: cleaned(`${check}: ${status} ${code ?? message} ${details.required_scope ?? ''}`) };
}

type Given = readonly [client: PanelClient, options: Arguments, signal: AbortSignal];

/** What a 501 means: only health.php tells a list that the panel has disabled from one whose table is missing. */
async function absence(check: CheckName, client: PanelClient, options: Arguments, signal: AbortSignal) {
  // The check of health.php has reported it.
  const isKnown = options.checks.includes('health');
  const parts = isKnown ? [] : (await client.health({ signal })).checks;
  const names = (check === 'certificates' ? ['ssl', 'websites'] : [check]).map((list) => `source:${list}`);
  const missing = parts.find(
    ({ name, status }) => names.includes(name) && status !== 'pass' && !options.ignored.has(name),
  );
  if (!missing) return skip(`${check} (not on this panel)`);
  return { state: 'WARNING', text: `${check}: ${cleaned(missing.detail)}` } as const;
}

const skip = (what: string): Finding => ({ state: 'OK', text: `not checked: ${what}`, skipped: what });

/** The errors of `fetch` have their cause inside. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error);
  const { code, message: why } = Object(cause);
  return cleaned(`no answer: ${code ?? why ?? message}`);
}

function end(state: State, output: string): void {
  process.stdout.write(output, () => process.exit(STATES.indexOf(state)));
}
