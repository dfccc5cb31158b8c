import { withTimeout } from '../lib/async/withTimeout';
import { ApiError } from '../lib/errors/ApiError';
import { grants, isServerWide, type ListOperation, type Operation } from '../lib/fields/Operation';
import type { Installation } from '../lib/Installation';
import type { ListPage } from '../lib/lists/ListAnswers';
import type { Fold } from '../lib/lists/readList';
import { causeFacts } from '../lib/log/PanelLog';
import { listRequest, readAsked } from '../lib/requests/answerRequest';
import { asApiError, deadlineError, READING_SHARE } from '../lib/requests/asApiError';
import { type AskedList, authorizeRead, checkRead, HIDDEN, type Query } from '../lib/requests/checkRead';
import type { Endpoint } from '../lib/requests/Endpoint';
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

export type PanelReader = ReturnType<typeof createPanelReader>;

/**
 * Reads endpoints for one counted request. The scope and the account of its token are checked for each of them, as for
 * a request of its own.
 */
export function createPanelReader(limited: Limited, installation: Installation) {
  const { request, token } = limited;
  const { options, log } = installation;
  const until = performance.now() + options.deadlineMs * READING_SHARE;

  /** The endpoints that the token may read, whether or not the panel serves them. */
  const endpoints = () =>
    installation.endpoints.filter(
      (endpoint) => grants(token.scopes, endpoint) && (token.accountId === null || !isServerWide(endpoint)),
    );

  function endpointOf(name: string): Endpoint {
    const endpoint = installation.endpoints.find((one) => one.name === name);
    if (!endpoint) throw new ApiError('not_found');
    return endpoint;
  }

  /** Finds a list. Throws the ApiError for which it cannot be read. */
  async function list(name: string): Promise<ReadableList> {
    const readable = await authorizeRead(limited, endpointOf(name), installation);
    if (!('list' in readable)) throw new ApiError('not_found');
    return { operation: readable.endpoint, report: readable.list.report };
  }

  async function read(name: string, query: Query): Promise<object> {
    const asked = await checkRead(limited, endpointOf(name), query, installation);
    return readAsked(asked, limited.rateLimit, installation.lists);
  }

  return {
    options,
    /** The names of all lists, whether or not the token may read them. */
    listNames: installation.operations.filter(({ kind }) => kind === 'list').map(({ name }) => name),
    /** Ended when no client waits for the answer. */
    end: request.cancellation,
    endpoints,
    list,
    /** Reads a page of a list, or its figures, with these parameters of its endpoint. */
    page: (name: string, query: Query) => read(name, query) as Promise<ListPage>,
    object: (name: string) => read(name, {}),

    /** Adds up the rows of a list that these parameters find, as `foldList` does. */
    async fold<T>({ operation }: ReadableList, query: Query, ...fold: Fold<T>) {
      const asked = await checkRead(limited, operation, query, installation);
      return installation.lists.fold<T>(listRequest(asked as AskedList), ...fold);
    },

    /** Records which tool the request calls, and why it was refused, for the log. */
    record(tool: string, error: ApiError | null): void {
      request.tool = tool;
      request.error = error;
    },

    /** Throws the ApiError for which the token may read none of these endpoints. */
    async requireAny(reads: (operation: Operation) => boolean): Promise<void> {
      if (endpoints().some(reads)) return;
      const first = installation.endpoints.find(reads);
      if (first) await authorizeRead(limited, first, installation);
    },

    /** Calls `visit` with each list that the token may read, one after another, and returns which ones failed. */
    async eachList(visit: (list: ReadableList) => Promise<void>): Promise<readonly Unread[]> {
      const unread: Unread[] = [];
      for (const { kind, name } of endpoints()) {
        if (kind !== 'list') continue;
        try {
          const left = Math.max(0, until - performance.now());
          await withTimeout(list(name).then(visit), left, deadlineError);
        } catch (thrown) {
          const { code, message } = asApiError(thrown);
          request.cancellation.throwIfOver();
          // The accounts of the token are refused, and so is each list.
          if (code.startsWith('account_') && !HIDDEN.has(code)) throw thrown;
          if (HIDDEN.has(code)) continue;
          log.warn('panel-api list not read', { list: name, ...causeFacts(thrown) });
          unread.push({ list: name, reason: message });
        }
      }
      return unread;
    },
  };
}
