import { operations } from '../../../routes';
import type { Called } from '../../fixture/assistants/assistantsPanel';
import { type Door, unknownCounts } from '../input/listDoors';
import { type RightAnswer, valuesIn } from '../input/listOracle';

/** Asks panel_list or panel_count. A refusal has the sentence in place of a code. */
export function assistantsDoor(call: (tool: string, args: object) => Promise<Called>): Door {
  return async ({ list, asked, limit }, cursor) => {
    const { order, fields, count, sum, ...conditions } = asked;
    const known = operations.find(({ name }) => name === list)!.fields;
    const where = Object.fromEntries(
      Object.entries(conditions).map(([name, text]) => {
        const values = name in known ? valuesIn(text) : [text];
        // What no program rounds may be a number.
        const isNumber = values.length === 1 && /^-?[1-9]\d{0,14}$/.test(text);
        return [name, isNumber && text.length % 2 ? Number(text) : values];
      }),
    );
    const common = { list, where: (limit ?? 0) % 2 ? JSON.stringify(where) : where };
    if (count === undefined && sum === undefined) {
      const page = { fields: fields?.split(','), limit: limit && Math.min(limit, 50), cursor };
      const { data, refusal } = await call('panel_list', { ...common, order, ...page });
      if (refusal !== null) return { error: refusal, status: 403 };
      return { items: data.items, next: data.next_cursor, ...unknownCounts(data.unknown_words) };
    }
    const figures = { by: count === 'true' ? null : count, sum: sum?.split(',') };
    const { data, refusal } = await call('panel_count', { ...common, ...figures });
    if (refusal !== null) return { error: refusal, status: 403 };
    const { list: _list, rows: total, counts, unknown_words: words, ...sums } = data;
    const pairs = counts?.map(({ value, rows }: Record<string, unknown>) => [value, rows]);
    const figuresOf = { total, ...sums, ...(pairs && { counts: Object.fromEntries(pairs) }) };
    return { figures: figuresOf, ...unknownCounts(words) };
  };
}

/** The right answer as an assistant should receive it: in clean texts, and with large numbers as texts. */
export function forAssistants(right: RightAnswer): object {
  if ('refused' in right) return { error: expect.stringContaining(right.refused), status: 403 };
  if ('error' in right) return { error: expect.any(String), status: 403 };
  const text = JSON.stringify(right, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return JSON.parse(text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
}
