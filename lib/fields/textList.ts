import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

/** A list of texts, from a JSON array or from text separated by commas, semicolons, white space or `|`. */
export function textList(description: string): Field<readonly string[]> {
  return plainField('list', { type: 'array', items: { type: 'string' }, description }, readTextList, []);
}

export function readTextList(raw: Raw): readonly string[] {
  const members = Array.isArray(raw) ? raw : splitText(rawText(raw)?.trim() ?? '');
  return members.map((member) => rawText(member)?.trim() ?? '').filter((member) => member !== '');
}

function splitText(text: string): readonly unknown[] {
  if (text.startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Not JSON after all.
    }
  }
  return text.split(/[\s,;|]+/);
}
