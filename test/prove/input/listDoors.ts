import { parseExactJson } from '../../../client/parseExactJson';
import type { Answer } from '../../fixture/answer';
import { pathOf } from '../../fixture/listPanel';
import { compared, type Item } from './listItems';
import type { RightAnswer } from './listOracle';
import type { Question } from './listQuestions';

/** An answer, of which a list has a page. */
type Page = RightAnswer & { readonly next?: string | null };

/** Asks a question, for the page behind a cursor. */
export type Door = (question: Question, cursor: string | null) => Promise<Page>;

/** Reads all pages of an answer. */
export async function readAll(ask: Door, question: Question): Promise<RightAnswer> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const { next = null, ...page }: Page = await ask(question, cursor);
    if (!('items' in page)) return page;
    if (cursor !== null) expect(page.items).not.toEqual([]);
    items.push(...page.items.map((item) => compared(question.list, item)));
    if (next === null) return { ...page, items };
    cursor = next;
  }
}

/** How many words of each filter an answer calls unknown. */
export function unknownCounts(words: Readonly<Record<string, readonly string[]>> | undefined) {
  const counts = Object.entries(words ?? {}).map(([name, all]) => [name, all.length]);
  return words ? { unknown: Object.fromEntries(counts) } : {};
}

/** Asks the endpoint of the list. */
export function endpointDoor(get: (path: string, question: Question) => Promise<Answer>): Door {
  return async (question, cursor) => {
    const { list, asked, limit } = question;
    const paged = { ...(limit !== null && { limit: String(limit) }), ...(cursor !== null && { cursor }) };
    const { status, text } = await get(pathOf(list, { ...asked, ...paged }), question);
    // biome-ignore lint/suspicious/noExplicitAny: the test says what it expects of the body.
    const { data, error } = parseExactJson(text) as any;
    if (status === 400) return { refused: error.parameter, status };
    if (status !== 200) return { error: error.code, status };
    const { resource: _resource, items, next_cursor: next, unknown_words: words, ...figures } = data;
    const unknown = unknownCounts(words);
    if (figures.total === undefined) {
      // Only the last page may be shorter.
      if (next) expect(items).toHaveLength(limit!);
      return { items, next, ...unknown };
    }
    expect(items).toEqual([]);
    return { figures, ...unknown };
  };
}
