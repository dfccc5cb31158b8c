import type { Operation } from '../../lib/fields/Operation';
import type { JsonSchema } from '../../lib/json/json';
import type { ListReader, PanelReader } from '../../lib/requests/PanelReader';
import type { ToolResult } from '../answers';
import type { Detail } from '../where';

/** The schema of an argument, with the bounds that it may have. */
export type ArgumentSchema = JsonSchema & Partial<Record<'minimum' | 'maximum' | 'maxLength', number>>;

/** A tool that assistants can call. */
export interface Tool<A = never> {
  readonly name: `panel_${string}`;
  readonly title: string;
  readonly description: string;
  /** What it says about the lists that the token may read, after the description. */
  readonly describe?: (lists: readonly ListReader[], detail: Detail) => string;
  /** Whether it reads this endpoint. A token sees the tool if it may read one of those. */
  readonly reads: (operation: Operation) => boolean;
  /** The arguments, each with its schema. `list` may be one of the lists that the token may read. */
  readonly input: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  /** The members of its answer. */
  readonly output: Readonly<Record<string, JsonSchema>>;
  readonly call: (args: A, reader: PanelReader) => Promise<ToolResult>;
}

export const isList = ({ kind }: Operation): boolean => kind === 'list';

/** The schema of a list of objects, which it does not describe further. */
export const objects: JsonSchema = { type: 'array', items: { type: 'object' } };

export const TEXT: JsonSchema = { type: 'string' };
export const INTEGER: JsonSchema = { type: 'integer' };
