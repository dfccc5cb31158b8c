import { unexpectedAnswer } from './PanelApiError';

/**
 * Reads the body of an answer as text, until the signal ends. Throws a PanelApiError for a body of more bytes than
 * these, counted after decompression.
 */
export async function readText(response: Response, maxBytes: number, ended: AbortSignal): Promise<string> {
  // Some runtimes, such as React Native, have no streams.
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  // The signal that `fetch` got may not end the body. A cancelled body rejects if it has already failed.
  const cancel = () => void reader.cancel().catch(() => undefined);
  ended.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      cancel();
      throw unexpectedAnswer('The answer has more bytes than the option maxAnswerBytes allows.', response);
    }
    text += decoder.decode(value, { stream: true });
  }
}
