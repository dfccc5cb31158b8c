import type { Cancellation } from '../lib/async/Cancellation';
import { withTimeout } from '../lib/async/withTimeout';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import type { ListPage } from '../lib/lists/ListAnswers';
import { causeFacts } from '../lib/log/PanelLog';
import { grants, isServerWide, type ListOperation, type Operation } from '../lib/operations/Operation';
import type { CheckedOptions } from '../lib/options/MountOptions';
import { readRequest } from '../lib/requests/answerRequest';
import { asApiError, deadlineError, READING_SHARE } from '../lib/requests/asApiError';
import type { Endpoint } from '../lib/requests/Endpoint';
import { authorizeRead, checkRead, type Query, type Readable, UNSEEN } from '../lib/requests/passChecks';
import type { Limited } from '../lib/requests/RequestLimits';
import type { SourceReport } from '../lib/sources/Source';

/** A list that the token may read, and what this panel serves of it. */
export interface ReadableList {
  readonly operation: ListOperation;
  readonly report: SourceReport;
}

/** Why a list was not read. */
export interface Unread {
  readonly list: string;
  readonly reason: string;
}

/** Why a panel has nothing to show of a list to this token. It is no failure. */
const HIDDEN: ReadonlySet<unknown> = new Set([...UNSEEN, 'resource_unavailable']);

/**
 * Reads endpoints for one counted request. The scope and the account of its token are checked for each of them, as for a
 * request of its own.
 */
export class PanelReader {
  readonly #limited: Limited;
  readonly #installation: Installation;
  readonly #until: number;

  constructor(limited: Limited, installation: Installation) {
    this.#limited = limited;
    this.#installation = installation;
    this.#until = performance.now() + installation.options.deadlineMs * READING_SHARE;
  }

  get options(): CheckedOptions {
    return this.#installation.options;
  }

  /** Ended when no client waits for the answer. */
  get end(): Cancellation {
    return this.#limited.request.cancellation;
  }

  /** Records which tool the request calls, and why it was refused, for the log. */
  record(tool: string, error: ApiError | null): void {
    this.#limited.request.tool = tool;
    this.#limited.request.error = error;
  }

  /** The endpoints that the token may read, whether or not the panel serves them. */
  endpoints(): readonly Endpoint[] {
    const { scopes, accountId } = this.#limited.token;
    const mayRead = (operation: Operation) =>
      grants(scopes, operation) && (accountId === null || !isServerWide(operation));
    return this.#installation.endpoints.filter(mayRead);
  }

  /** Throws the ApiError for which the token may read none of these endpoints. */
  async requireAny(reads: (operation: Operation) => boolean): Promise<void> {
    if (this.endpoints().some(reads)) return;
    const [first] = this.#installation.endpoints.filter(reads);
    if (first) await this.#authorize(first);
  }

  /** Calls `read` with each list that the token may read, one after another, and returns which ones failed. */
  async eachList(read: (list: ReadableList) => Promise<void>): Promise<readonly Unread[]> {
    const unread: Unread[] = [];
    for (const endpoint of this.endpoints()) {
      if (endpoint.kind !== 'list') continue;
      try {
        await this.#inTime(this.list(endpoint.name).then(read));
      } catch (thrown) {
        const { code, message } = asApiError(thrown);
        this.end.throwIfOver();
        // The accounts of the token are refused, and so is each list.
        if (code.startsWith('account_') && !HIDDEN.has(code)) throw thrown;
        if (HIDDEN.has(code)) continue;
        this.#installation.log.warn('panel-api list not read', {
          list: endpoint.name,
          ...causeFacts(thrown),
        });
        unread.push({ list: endpoint.name, reason: message });
      }
    }
    return unread;
  }

  /** Finds a list. Throws the ApiError for which it cannot be read. */
  async list(name: string): Promise<ReadableList> {
    const readable = await this.#authorize(this.#endpoint(name));
    if (!('list' in readable)) throw new ApiError('not_found');
    return { operation: readable.endpoint, report: readable.list.report };
  }

  /** Reads a page of a list, or its figures, with these parameters of its endpoint. */
  page(name: string, query: Query): Promise<ListPage> {
    return this.#read(name, query) as Promise<ListPage>;
  }

  object(name: string): Promise<object> {
    return this.#read(name, {});
  }

  async #read(name: string, query: Query): Promise<object> {
    const asked = await checkRead(this.#limited, this.#endpoint(name), query, this.#installation);
    return readRequest(asked, this.#installation.lists);
  }

  #authorize(endpoint: Endpoint): Promise<Readable> {
    return authorizeRead(this.#limited, endpoint, this.#installation);
  }

  #endpoint(name: string): Endpoint {
    const endpoint = this.#installation.endpoints.find((one) => one.name === name);
    if (!endpoint) throw new ApiError('not_found');
    return endpoint;
  }

  #inTime<T>(promise: Promise<T>): Promise<T> {
    return withTimeout(promise, Math.max(0, this.#until - performance.now()), deadlineError);
  }
}
