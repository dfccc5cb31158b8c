import type { AccountList } from '../accounts/AccountList';
import { TokenAccounts } from '../accounts/TokenAccounts';
import { Cancellation } from '../async/Cancellation';
import type { AuditLog, Author } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from '../errors/ApiError';
import { InvalidInput } from '../errors/InvalidInput';
import type { Operation } from '../fields/Operation';
import type { Source } from '../sources/Source';
import { checkBinding } from '../tokens/checkBinding';
import { bindingTo } from '../tokens/TokenRecord';
import { findList, type ServedList } from './findList';
import type { ListAnswers, ListPage, ListRequest } from './ListAnswers';
import { parseListQuery } from './parseListQuery';
import { rawTexts, tellingRow } from './rawTexts';
import { readInSlot, readList } from './readList';
import { reportOf } from './reportOf';

/** What an administrator wants to see of a list. */
export interface ListView {
  /** The parameters of a request's query. */
  readonly parameters: URLSearchParams;
  /** Only what a token of this account reads. Default: what a token of all accounts reads. */
  readonly accountId?: string | undefined;
}

/** The columns of a field, with their values in one row beside the answered one. */
export interface TracedField {
  /** The part, if the list has several. */
  readonly part?: number;
  readonly field: string;
  readonly columns: readonly string[];
  readonly raw: readonly (string | null)[];
  readonly value: unknown;
}

/** From which columns the fields of a list come. */
export interface TracedList {
  /** The fields of each part with a row that matches. */
  readonly fields: readonly TracedField[];
  /** The names of the fields without a source. */
  readonly unserved: readonly string[];
}

interface ViewerParts {
  readonly options: { readonly tokenPrefix: string; readonly deadlineMs: number };
  readonly sources: ReadonlyMap<string, Source>;
  readonly readDatabase: Database;
  readonly lists: ListAnswers;
  readonly accounts: AccountList;
  readonly audit: AuditLog;
}

/**
 * Shows an administrator what the API answers for a list, without a token. The audit trail says who was shown which list.
 * Its methods throw InvalidInput if the API would refuse the query, an UnreadList, or a DatabaseFailure.
 */
export class ListViewer {
  readonly #parts: ViewerParts;

  constructor(parts: ViewerParts) {
    this.#parts = parts;
  }

  /** Returns a page of a list, or its figures. The parameters must name a limit or figures. */
  show(list: Operation, view: ListView, author: Author): Promise<ListPage> {
    return this.#read(list, view, author, (request) => this.#parts.lists.page(request));
  }

  /** Returns from which columns the fields of a list come, each with its values in one row that matches. */
  trace(list: Operation, view: ListView, author: Author): Promise<TracedList> {
    return this.#read(list, view, author, async ({ report, ...request }) => {
      const { parts } = request.source;
      const fields: TracedField[] = [];
      for (const [part, source] of (parts ?? [request.source]).entries())
        for (const field of await this.#trace({ ...request, source }))
          fields.push({ ...(parts && { part }), ...field });
      const { properties } = report.itemSchema;
      return { fields, unserved: Object.keys(list.fields).filter((name) => !(name in properties)) };
    });
  }

  async #trace(request: ListRequest): Promise<readonly TracedField[]> {
    const { query, source } = request;
    const { itemSchema, plans = {} } = await source.report();
    // Without a field that is asked for, no row of the part matches.
    const asked = [...query.filters.keys(), ...query.ranges.keys()];
    if (!asked.every((name) => name in itemSchema.properties)) return [];
    const rows = await readInSlot(this.#parts.readDatabase, request, (run) =>
      readList(request, run, (each) => each.trace()),
    );
    const names = Object.keys(rows[0]?.item ?? {}).filter((name) => query.fields?.includes(name) ?? true);
    return names.map((field) => {
      const row = tellingRow(field, rows, plans);
      const columns = plans[field]?.columns.map(({ name }) => name) ?? [];
      return { field, columns, raw: rawTexts(field, row, plans), value: row.item[field] };
    });
  }

  /** Reads a list for an administrator, and records that. */
  async #read<T>(
    operation: Operation,
    { parameters, accountId }: ListView,
    author: Author,
    read: (request: ServedList & ListRequest) => Promise<T>,
  ): Promise<T> {
    const { accounts, audit, options, readDatabase, sources } = this.#parts;
    const { deadlineMs, tokenPrefix } = options;
    const { name } = operation;
    try {
      const named = accountId === undefined ? {} : { accountId };
      const binding = checkBinding(named, { prefix: tokenPrefix }, false) ?? bindingTo([]);
      const { state, missing = [] } = (await sources.get(name)?.report()) ?? { state: 'off' };
      if (state !== 'served')
        throw new UnreadList(name, state === 'off' ? ['It is off: its source is false.'] : missing);
      const bound = await accounts.bind(binding, readDatabase.run, deadlineMs);
      const tokenAccounts = TokenAccounts.of(bound, accounts, { suspendedAccounts: 'allow' });
      const list = await findList(sources, operation, tokenAccounts);
      const query = parseListQuery(parameters, { ...list, tokenPrefix });
      // No token has this id.
      const request = { ...list, resource: name, query, tokenId: 0, end: Cancellation.after(deadlineMs) };
      const shown = await read(request);
      await audit.recordShown(author, { lists: [name], account_id: accountId ?? null });
      return shown;
    } catch (error) {
      throw refusalOf(name, error);
    }
  }
}

/** A list cannot be read. The message says why. */
export class UnreadList extends Error {
  constructor(name: string, sentences: readonly string[] = []) {
    super(`The list ${name} cannot be read. ${sentences.join(' ') || 'Run panel-api check to see why.'}`);
  }
}

/** Says why a list cannot be shown: in the API's own sentence if it would refuse the query. */
function refusalOf(name: string, error: unknown): unknown {
  if (error instanceof ApiError && /^(?:query_invalid|account_forbidden)$/.test(error.code)) {
    const { supported } = error.details;
    const others = supported ? ` It can be one of ${supported.join(', ')}.` : '';
    return new InvalidInput('query', error.message + others);
  }
  const isSaid = [InvalidInput, UnreadList, DatabaseFailure].some((said) => error instanceof said);
  return isSaid ? error : new UnreadList(name, reportOf(error)?.missing);
}
