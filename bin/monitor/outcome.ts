import { createClient, PanelApiError } from '../../client';
import { ANOTHER_FORM, unexpectedAnswer } from '../../client/PanelApiError';
import { type Arguments, type CheckName, readArguments, USAGE } from './arguments';
import { checks } from './checks';
import { NotChecked } from './readLists';
import { cleaned, type Finding, outcomeOf, type State } from './report';

/** Runs the plugin with these arguments. Returns its state, and its output. */
export async function outcome(args: readonly string[], env: NodeJS.ProcessEnv): Promise<[State, string]> {
  try {
    const options = readArguments(args, env);
    return options === null ? ['UNKNOWN', USAGE] : outcomeOf(await runChecks(options));
  } catch (error) {
    const why = error instanceof TypeError ? error.message : cleaned(error);
    return ['UNKNOWN', `PANEL UNKNOWN - ${why} See check_panel --help.\n`];
  }
}

/** Several times the longest page. The longest answer of a server that is no panel is read within a few seconds. */
const MOST_BYTES = 16 * 2 ** 20;

/** Runs the checks one after another, until one shows that the others would end in the same way. */
async function runChecks(options: Arguments): Promise<readonly Finding[]> {
  const { url, token, allowHttp, timeoutSeconds } = options;
  const limits = { timeoutSeconds, maxWaitSeconds: 0, maxAnswerBytes: MOST_BYTES };
  const client = createClient({ baseUrl: url, token, allowHttp, ...limits });
  const over = new AbortController();
  setTimeout(
    () => over.abort(new Error(`not done within ${timeoutSeconds} s`)),
    timeoutSeconds * 1000,
  ).unref();
  const findings: Finding[] = [];
  for (const name of options.checks) {
    try {
      findings.push(await checks[name](client, options, over.signal));
    } catch (error) {
      findings.push(await absence(name, error).catch((cause) => findingOf(name, cause)));
      if (!concernsOne(name, error)) break;
    }
  }
  return findings;

  /** Only health.php says whether the panel has disabled a list that answers 501, or its table is missing. */
  async function absence(check: CheckName, error: unknown): Promise<Finding> {
    if (!(error instanceof PanelApiError) || error.code !== 'resource_unavailable') throw error;
    const isReported = options.checks.includes('health');
    const parts = isReported ? [] : (await client.health({ signal: over.signal })).checks;
    const list = check === 'certificates' ? 'ssl' : check;
    const faults = parts.filter(({ name, status }) => status !== 'pass' && !options.ignored.has(name));
    const missing = faults.find(({ name }) => name === `source:${list}`);
    if (missing) return { state: 'WARNING', text: `${check}: ${cleaned(missing.detail)}` };
    return skip(`${check} (${check === 'accounts' ? 'accounts or backups ' : ''}not on this panel)`);
  }
}

/** Whether other checks may end in another way. */
function concernsOne(name: CheckName, error: unknown): boolean {
  const code = error instanceof PanelApiError ? (error.code ?? '') : '';
  if (code === 'unavailable') return name !== 'health';
  const codes = ['scope_missing', 'query_invalid', 'resource_unavailable', 'internal_error'];
  return error instanceof NotChecked || codes.includes(code);
}

function findingOf(check: CheckName, thrown: unknown): Finding {
  if (thrown instanceof NotChecked) return skip(thrown.message);
  // The errors of `fetch` have a cause. Any other is of data in another form than the types say.
  const isForm = thrown instanceof TypeError && thrown.cause === undefined;
  const error = isForm ? unexpectedAnswer(ANOTHER_FORM) : thrown;
  if (!(error instanceof PanelApiError)) return { state: 'CRITICAL', text: `${check}: ${reasonOf(error)}` };
  const { code, status, message, details } = error;
  const state = code === null || status >= 500 ? 'CRITICAL' : 'UNKNOWN';
  return { state, text: cleaned(`${check}: ${status} ${code ?? message} ${details.required_scope ?? ''}`) };
}

const skip = (what: string): Finding => ({ state: 'OK', text: `not checked: ${what}`, skipped: what });

/** The errors of `fetch` have their cause inside. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error);
  const { code, message: why } = Object(cause);
  return cleaned(`no answer: ${code ?? why ?? message}`);
}
