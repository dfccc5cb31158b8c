import { InvalidInput, unknownWord } from '../../lib/errors/InvalidInput';
import type { Operation } from '../../lib/fields/Operation';
import { toJson } from '../../lib/json/json';
import type { ListPage } from '../../lib/lists/ListAnswers';
import type { TracedField, TracedList } from '../../lib/lists/ListViewer';
import { operations } from '../../routes';
import { type Definition, noteWithoutConfig } from '../onPanel';
import type { Screen } from '../Terminal';
import { type Cell, type Column, formatTable } from '../table';

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
  validate: (_terminal, _list, words, options) => void parametersOf(words, options),
  async run({ listViewer }, run, list, words, options) {
    const { author, screen } = run.terminal;
    const view = { parameters: parametersOf(words, options), accountId: options.account };
    const output = options.sources
      ? sourcesOutput(await listViewer.trace(list, view, author), screen)
      : rowsOutput(list, await listViewer.show(list, view, author), screen);
    noteWithoutConfig(run, 'Read');
    return output;
  },
};

function parseList(text: string): Operation {
  const lists: readonly Operation[] = operations.filter(({ kind }) => kind === 'list');
  const found = lists.find(({ name }) => name === text);
  if (found) return found;
  const names = lists.map(({ name }) => name);
  throw unknownWord('list', 'list', text, names);
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

/** The data of the API's answer. */
function rowsOutput({ name }: Operation, { items, nextCursor, ...figures }: ListPage, screen: Screen) {
  if (figures.total !== undefined) return { json: { resource: name, items, ...figures } };
  const columns = Object.keys(items[0] ?? {}).map((heading) => ({
    heading,
    cell: (item: (typeof items)[number]) => valueCell(item[heading], screen),
    narrow: 'named' as const,
  }));
  const note = `There are more rows: use --limit, or cursor=${nextCursor} to go on.`;
  return {
    json: { resource: name, items, next_cursor: nextCursor, ...figures },
    text: items.length === 0 ? NO_ROW : formatTable(items, columns, screen),
    ...(nextCursor && { note }),
    ...(figures.unknown_words && { note: `Unknown words: ${toJson(figures.unknown_words)}.` }),
  };
}

function sourcesOutput({ fields, unserved }: TracedList, screen: Screen) {
  const columns = fields[0]?.part === undefined ? COLUMNS : [PART, ...COLUMNS];
  return {
    json: fields,
    text: fields.length === 0 ? NO_ROW : formatTable(fields, columns, screen),
    ...(unserved.length > 0 && { note: `Fields without a source: ${unserved.join(', ')}.` }),
  };
}

const NO_ROW = 'No row matches.';

/** The most characters of a value on a terminal. */
const MOST_SHOWN = 40;

/** A value of a field as a cell. */
function valueCell(value: unknown, { width }: Screen): Cell {
  const text = typeof value === 'string' ? value : toJson(value ?? null);
  if (text === 'null') return { text, style: 'dim' };
  return width === null || text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}

const PART: Column<TracedField> = { heading: 'PART', cell: ({ part }) => String(part) };

const COLUMNS: readonly Column<TracedField>[] = [
  { heading: 'FIELD', cell: ({ field }) => field },
  { heading: 'COLUMN', cell: ({ columns }) => columns.join(', ') || '-' },
  {
    heading: 'RAW',
    cell: ({ raw }, screen) => (raw.length === 0 ? '-' : valueCell(raw.length === 1 ? raw[0] : raw, screen)),
    narrow: 'cut',
  },
  { heading: 'ANSWERED', cell: ({ value }, screen) => valueCell(value, screen), narrow: 'cut' },
];
