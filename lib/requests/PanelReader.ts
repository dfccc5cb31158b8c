import { TokenAccounts } from '../accounts/TokenAccounts';
import { Cancellation } from '../async/Cancellation';
import { withTimeout } from '../async/withTimeout';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { Fields, ObjectOf } from '../fields';
import { grants, isServerWide, type ObjectOperation, type Operation } from '../fields/Operation';
import { countable } from '../lists/figures';
import type { ServedList } from '../lists/findList';
import type { ListAnswers, ListPage, ListRequest } from '../lists/ListAnswers';
import { shownName, WHOLE_LIST } from '../lists/parseListQuery';
import { listedName, rangeParameters } from '../lists/ranges';
import { type Fold, foldList, readInSlot } from '../lists/readList';
import { causeFacts, type PanelLog } from '../log/PanelLog';
import type { CheckedOptions } from '../options/MountOptions';
import type { Conditions, SourceReport } from '../sources/Source';
import type { RequestToken } from '../tokens/TokenRecord';
import type { ApiRequest } from './ApiRequest';
import { loadObject, type StepParts } from './answerRequest';
import { asApiError, deadlineError } from './asApiError';
import { authenticateRequest } from './authenticateRequest';
import { authorizeRead, checkRead, checkRequest, type GivenQuery, type ObjectQuery } from './checkRead';
import type { Endpoint } from './Endpoint';
import type { Limited } from './RequestLimits';

/** The share of a request's deadline within which several endpoints are read. */
export const READING_SHARE = 0.8;

interface ReaderParts extends StepParts {
  readonly endpoints: readonly Endpoint[];
  readonly readDatabase: Database;
  readonly log: PanelLog;
  readonly options: CheckedOptions;
}

/** The errors of an endpoint that a token does not see, because of its scopes or its accounts. */
const UNSEEN: ReadonlySet<unknown> = new Set(['scope_missing', 'account_forbidden']);

/** Why a panel has nothing to show of a list to a token. It is no failure. */
const HIDDEN: ReadonlySet<unknown> = new Set([...UNSEEN, 'resource_unavailable']);

/** Whether the token does not see an endpoint, because of its scopes or its accounts. */
export function isUnseen(error: unknown): boolean {
  return error instanceof ApiError && UNSEEN.has(error.code);
}

/**
 * Reads endpoints for one counted request, without HTTP. The scope and the account of its token are checked for each of
 * them, as for a request of its own.
 */
export class PanelReader {
  readonly token: RequestToken;
  readonly #limited: Limited;
  readonly #parts: ReaderParts;
  readonly #patienceMs: number;
  readonly #until: number;

  constructor(limited: Limited, parts: ReaderParts) {
    this.token = limited.token;
    this.#limited = limited;
    this.#parts = parts;
    this.#patienceMs = parts.options.deadlineMs * READING_SHARE;
    this.#until = performance.now() + this.#patienceMs;
  }

  /** Takes a request through its steps until it is counted. Throws the ApiError of the first that refuses it. */
  static async admit(request: ApiRequest, parts: ReaderParts): Promise<PanelReader> {
    const known = await authenticateRequest(request, parts.tokenLookup);
    return new PanelReader(await parts.limits.count(known), parts);
  }

  get panelName(): string {
    return this.#parts.options.panel.name;
  }

  /** Aborted when no client waits for the answer. */
  get signal(): AbortSignal {
    return this.#limited.request.cancellation.signal;
  }

  /** The names of all lists, whether or not the token may read them. */
  get listNames(): readonly string[] {
    return this.#parts.endpoints.filter(({ kind }) => kind === 'list').map(({ name }) => name);
  }

  /** The endpoints that the token may read, whether or not the panel serves them. */
  get endpoints(): readonly Operation[] {
    const { scopes, accountId } = this.token;
    return this.#parts.endpoints.filter(
      (endpoint) => grants(scopes, endpoint) && (accountId === null || !isServerWide(endpoint)),
    );
  }

  /** Returns a name from the client as an answer may repeat it. */
  shownName(name: string): string {
    return shownName(name, this.#parts.options.tokenPrefix);
  }

  /** Checks the request itself, as one for an endpoint of the API. Throws the ApiError for which it is refused. */
  async check(given: GivenQuery): Promise<void> {
    await checkRequest(this.#limited, given, this.#parts);
  }

  /** Finds a list; null for an object. Throws the ApiError for which the token cannot read the endpoint. */
  async find(name: string): Promise<ListReader | null> {
    const endpoint = this.#endpoint(name);
    const found = await authorizeRead(this.#limited, endpoint, this.#parts);
    if ('endpoint' in found) return null;
    const check = (given: GivenQuery) => checkRead(this.#limited, endpoint, given, this.#parts);
    return new ListReader(found, check as CheckList, this.#parts.lists);
  }

  /** Finds a list. Throws the ApiError for which the token cannot read it. */
  async list(name: string): Promise<ListReader> {
    const list = await this.find(name);
    if (!list) throw new ApiError('not_found');
    return list;
  }

  /** Finds a list; null if the token may not read it, or the panel does not serve it. */
  async listIfShown(name: string): Promise<ListReader | null> {
    return this.list(name).catch((error) => {
      if (error instanceof ApiError && HIDDEN.has(error.code)) return null;
      throw error;
    });
  }

  /** Loads an object. Throws the ApiError for which the token cannot read it. */
  async object<F extends Fields>({ name }: ObjectOperation<F>): Promise<ObjectOf<F>> {
    const query = await checkRead(this.#limited, this.#endpoint(name), {}, this.#parts);
    const loaded = await loadObject(query as ObjectQuery, this.#limited.rateLimit, this.#parts.lists);
    return loaded.data as ObjectOf<F>;
  }

  /** Calls `visit` with each list that the token may read, one after another, and returns which ones failed. */
  async eachList(visit: (list: ListReader) => Promise<void>) {
    const unread: { readonly list: string; readonly reason: string }[] = [];
    for (const { kind, name } of this.endpoints) {
      if (kind !== 'list') continue;
      try {
        await this.inTime(this.list(name).then(visit));
      } catch (thrown) {
        const { code, message } = asApiError(thrown);
        this.#limited.request.cancellation.throwIfOver();
        // The accounts of the token are refused, and so is each list.
        if (code.startsWith('account_') && !HIDDEN.has(code)) throw thrown;
        if (HIDDEN.has(code)) continue;
        this.warn('panel-api list not read', name, thrown);
        unread.push({ list: name, reason: message });
      }
    }
    return unread;
  }

  /** Throws the ApiError for which the token may read none of these endpoints. */
  async requireAny(reads: (operation: Operation) => boolean): Promise<void> {
    const first = this.#parts.endpoints.find(reads);
    if (first && !this.endpoints.some(reads)) await this.find(first.name);
  }

  /** Runs a tool, and returns why it was refused or failed. The log shows its name and the error. */
  async runTool<T>(tool: string, run: () => Promise<T>, refused: (error: ApiError) => T): Promise<T> {
    const { request } = this.#limited;
    request.tool = tool;
    return run().catch((thrown) => {
      request.error = asApiError(thrown);
      return refused(request.error);
    });
  }

  /** Settles like the promise, or rejects with ApiError `unavailable` when there is no time to read more. */
  inTime<T>(promise: Promise<T>): Promise<T> {
    return withTimeout(promise, Math.max(0, this.#until - performance.now()), deadlineError);
  }

  /**
   * Returns a key that is equal only for tokens that read the same rows now, and may share what they read. It is not
   * lasting if the token reads too many accounts to tell whether they are the same later.
   */
  async sharing(): Promise<{ readonly key: string; readonly isLasting: boolean }> {
    const { token, settings } = this.#limited;
    const tokenAccounts = TokenAccounts.of(token, this.#parts.accounts, settings);
    if (!tokenAccounts) return { key: '', isLasting: true };
    const end = Cancellation.after(this.#patienceMs);
    const found = await this.#parts.lists.find(tokenAccounts, { tokenId: token.id, end }).catch((error) => {
      if (error instanceof ApiError && error.code === 'resource_unavailable') return null;
      throw error;
    });
    // Of two tokens with the same accounts now, one may receive another account while a list is read, so only tokens
    // with the same binding share it.
    return { key: JSON.stringify([tokenAccounts.key, found?.identity]), isLasting: found !== null };
  }

  /**
   * Waits for a slot in which this list, or what is no list, and others are read, and calls `read` in it. The slot is one
   * of this holder's: the token's own reads do not wait for it.
   */
  inSlot<T>(holder: string, list: ListReader | null, read: (slot: ReadSlot) => Promise<T>): Promise<T> {
    const database = this.#parts.readDatabase.inSlotsOf(holder, this.token.id);
    const within = (run: Run) => read({ run, end: Cancellation.after(this.#patienceMs) });
    if (!list) return within(database.run);
    return readInSlot(database, { resource: list.name, source: list.endpoint.source }, within);
  }

  /** Logs that a list was not read. */
  warn(message: string, list: string, error: unknown): void {
    this.#parts.log.warn(message, { list, ...causeFacts(error) });
  }

  #endpoint(name: string): Endpoint {
    const endpoint = this.#parts.endpoints.find((one) => one.name === name);
    if (!endpoint) throw new ApiError('not_found');
    return endpoint;
  }
}

/** A slot of the database in which lists are read one after another, for a limited time. */
export interface ReadSlot {
  readonly run: Run;
  readonly end: Cancellation;
}

type CheckList = (given: GivenQuery) => Promise<ListRequest>;

/** A list of this panel, as the token of a request may read it. */
export class ListReader {
  readonly endpoint: ServedList;
  readonly name: string;
  /** What the panel serves of it. */
  readonly report: SourceReport;
  readonly #check: CheckList;
  readonly #lists: ListAnswers;

  constructor(endpoint: ServedList, check: CheckList, lists: ListAnswers) {
    this.endpoint = endpoint;
    this.name = endpoint.operation.name;
    this.report = endpoint.report;
    this.#check = check;
    this.#lists = lists;
  }

  /** Whether it has the field in this panel. */
  has(field: string): boolean {
    return field in this.report.itemSchema.properties;
  }

  /** The words that a field can have in this panel; null if they are not known. */
  words(field: string): readonly string[] | null {
    const { enum: words } = this.report.itemSchema.properties[field] ?? {};
    return Array.isArray(words) ? words.filter((word) => word !== null) : null;
  }

  /** The names of the parameters that its rows can be found by. */
  get conditions(): readonly string[] {
    const { filters, searchable } = this.report;
    const ranges = rangeParameters(this.report).flatMap(({ names }) => names);
    return [...filters, ...ranges, ...(searchable.length > 0 ? ['search'] : [])];
  }

  /** Whether its rows can be found by a parameter of this name. */
  takes(name: string): boolean {
    return this.conditions.includes(listedName(name));
  }

  /** The fields by whose values its rows can be counted. */
  get countable(): readonly string[] {
    return countable(this.endpoint.operation, this.report).filter((name) => name !== 'true');
  }

  /** Reads a page, or figures. The parameters must ask for one of them. */
  async page(given: GivenQuery): Promise<ListPage> {
    return this.#lists.page(await this.#check(given));
  }

  /** Adds up the rows with these parameters, as `foldList` does. */
  async fold<T>(given: GivenQuery, ...fold: Fold<T>) {
    return this.#lists.fold<T>(await this.#check(given), ...fold);
  }

  /** Adds up the rows with these conditions in a slot, as `foldList` does. */
  foldIn<T>({ run, end }: ReadSlot, rows: Partial<Conditions>, ...fold: Fold<T>) {
    const { source, rowsOfToken } = this.endpoint;
    const query = { ...WHOLE_LIST, ...rows };
    return foldList<T>({ resource: this.name, source, rowsOfToken, query, end }, run, ...fold);
  }
}
