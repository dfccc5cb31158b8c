import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';

/** What a client got of an answer. */
export interface Received {
  readonly text: string;
  /** Whether the answer ended as HTTP says that it should. */
  readonly whole: boolean;
}

/** An answer of which the client has read the headers alone, over a connection of its own. */
export interface OpenList {
  readonly response: IncomingMessage;
  /** Reads some of it, and no more than it has to. Rejects where there is no more of it. */
  some(): Promise<string>;
  /** Reads on until the answer ends or breaks off. */
  rest(): Promise<Received>;
  /** Leaves without a word. */
  leave(): void;
}

export async function openList(
  url: string,
  token: string,
  init: http.RequestOptions = {},
): Promise<OpenList> {
  const request = http.request(url, {
    agent: false,
    ...init,
    headers: { Authorization: `Bearer ${token}`, ...init.headers },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // Whatever goes wrong from here on is told by `whole`.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  const decoder = new TextDecoder();
  return {
    response,
    async some() {
      for (;;) {
        const chunk: Buffer | null = response.read();
        if (chunk) return decoder.decode(chunk, { stream: true });
        if (response.closed) throw new Error('The answer is over.');
        await happens(response, ['readable', 'close']);
      }
    },
    async rest() {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += decoder.decode(chunk, { stream: true });
      });
      if (!response.closed) await happens(response, ['close']);
      return { text, whole: response.complete };
    },
    leave: () => request.destroy(),
  };
}

// Whatever goes wrong with an answer is followed by its end.
function happens(response: IncomingMessage, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) response.once(event, () => resolve());
  });
}
