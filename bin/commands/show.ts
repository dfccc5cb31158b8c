import { Cancellation } from '../../lib/async/Cancellation';
import { DatabaseFailure } from '../../lib/database/DatabaseFailure';
import { ApiError } from '../../lib/errors/ApiError';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { printable } from '../../lib/errors/printable';
import type { Operation } from '../../lib/fields/Operation';
import { reportOf } from '../../lib/health/listCheck';
import type { Installation } from '../../lib/Installation';
import { findList } from '../../lib/lists/findList';
import { parseListQuery } from '../../lib/lists/parseListQuery';
import { TokenAccounts } from '../../lib/owners/TokenAccounts';
import type { Row } from '../../lib/sources/Source';
import { checkBinding } from '../../lib/tokens/checkBinding';
import { type Binding, bindingTo } from '../../lib/tokens/TokenRecord';
import { operations } from '../../routes';
import { CommandFailure } from '../exit';
import type { Definition } from '../onInstallation';
import type { Screen } from '../Terminal';
import { formatTable } from '../table';
import { type AskedList, traced, valueCell } from '../traced';

interface ShowOptions {
  readonly fields?: string;
  readonly limit?: string;
  readonly account?: string;
  readonly sources?: true;
}

const USUAL_LIMIT = '20';

export const show: Definition<[Operation, readonly string[], ShowOptions]> = {
  description: 'show rows of a list as the API answers them, without a token',
  define: (command) =>
    command
      .argument('<list>', 'name of the list, such as accounts', parseList)
      .argument('[parameters...]', 'parameters as in a query, such as status=active or order=desc')
      .option('--fields <names>', 'only these fields, separated by commas')
      .option('--limit <n>', `maximum number of rows, at most 1000 (default: ${USUAL_LIMIT})`)
      .option('--account <id>', 'the rows that a token of this account reads')
      .option('--sources', 'the columns of each field, with one of their values beside the answered one'),
  check(_terminal, _operation, words, options) {
    parametersOf(words, options);
  },
  async run(installation, { terminal, global }, operation, words, options) {
    const { account, sources } = options;
    const rules = { prefix: installation.options.tokenPrefix };
    const named = account === undefined ? {} : { accountId: account };
    const binding = checkBinding(named, rules, false) ?? bindingTo([]);
    const read = async () => {
      const asked = await askedList(installation, operation, binding, parametersOf(words, options));
      return (sources ? traced : answered)(installation, asked, terminal.screen);
    };
    const output = await read().catch((error) => refuse(operation, error));
    const details = { lists: [operation.name], account_id: account ?? null };
    await installation.audit.recordShown(terminal.author, details);
    if (global.config === undefined)
      terminal.note('Read without the mount options: use --config FILE to include their sources.');
    return output;
  },
};

function parseList(text: string): Operation {
  const lists: readonly Operation[] = operations.filter(({ kind }) => kind === 'list');
  const found = lists.find(({ name }) => name === text);
  if (found) return found;
  const names = lists.map(({ name }) => name).join(', ');
  throw new InvalidInput('list', `Unknown list "${printable(text, 64)}". The lists are ${names}.`);
}

function parametersOf(words: readonly string[], { fields, limit, sources }: ShowOptions): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals < 1)
      throw new InvalidInput('parameters', 'Write a parameter as name=value, such as status=active.');
    parameters.append(word.slice(0, equals), word.slice(equals + 1));
  }
  if (fields !== undefined) parameters.append('fields', fields);
  if (limit !== undefined) parameters.append('limit', limit);
  // It shows one value of each field.
  const useless = ['limit', 'cursor', 'order', 'count', 'sum'].find((name) => parameters.has(name));
  if (sources && useless) throw new InvalidInput(useless, `--sources does not take ${useless}.`);
  if (!/^(?:limit|count|sum)$/.test(useless ?? '')) parameters.append('limit', USUAL_LIMIT);
  return parameters;
}

async function askedList(
  { sources, accounts, readDatabase, options: { deadlineMs, tokenPrefix } }: Installation,
  operation: Operation,
  unmarked: Binding,
  parameters: URLSearchParams,
): Promise<AskedList> {
  const { state, missing = [] } = (await sources.get(operation.name)?.report()) ?? { state: 'off' };
  if (state !== 'served')
    throw unread(operation, state === 'off' ? ['It is off: its source is false.'] : missing);
  const bound = await accounts.bind(unmarked, readDatabase.run, deadlineMs);
  const owners = TokenAccounts.of(bound, accounts, { suspendedAccounts: 'allow' });
  const list = await findList(sources, operation, owners);
  const query = parseListQuery(parameters, { ...list, operation, tokenPrefix });
  return { ...list, resource: operation.name, operation, query, end: Cancellation.after(deadlineMs) };
}

/** The data of the API's answer. */
async function answered({ lists }: Installation, asked: AskedList, screen: Screen) {
  const { resource, query, report } = asked;
  // No token has this id.
  const { items, nextCursor, ...figures } = await lists.page({ ...asked, tokenId: 0 });
  if (query.figures) return { json: { resource, items, ...figures } };
  const columns = (query.fields ?? Object.keys(report.itemSchema.properties)).map((heading) => ({
    heading,
    cell: (item: Row) => valueCell(item[heading], screen),
    narrow: 'named' as const,
  }));
  const text = items.length === 0 ? 'No row matches.' : formatTable(items, columns, screen);
  const note = `There are more rows: use --limit, or cursor=${nextCursor} to go on.`;
  return { json: { resource, items, next_cursor: nextCursor }, text, ...(nextCursor && { note }) };
}

/** Throws why the list cannot be shown: in the API's own sentence if it would refuse the query. */
function refuse(operation: Operation, error: unknown): never {
  if (error instanceof ApiError && /^(?:query_invalid|account_forbidden)$/.test(error.code)) {
    const { supported } = error.details;
    const others = supported ? ` It can be one of ${supported.join(', ')}.` : '';
    throw new InvalidInput('query', error.message + others);
  }
  const isSaid = [InvalidInput, CommandFailure, DatabaseFailure].some((said) => error instanceof said);
  throw isSaid ? error : unread(operation, reportOf(error)?.missing);
}

function unread({ name }: Operation, sentences: readonly string[] = []): CommandFailure {
  const why = sentences.join(' ') || 'Run panel-api check to see why.';
  return new CommandFailure('missing', `The list ${name} cannot be read. ${why}`);
}
