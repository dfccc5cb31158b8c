import type { JsonSchema } from '../../lib/json/json';
import type { Operation } from '../../lib/operations/Operation';
import type { ToolResult } from '../answers';
import type { PanelReader, ReadableList } from '../PanelReader';
import type { Detail } from '../where';

/** The JSON Schema of an argument. */
export type ArgumentSchema = JsonSchema & {
  readonly type: 'string' | 'integer' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

/** A tool that assistants can call. */
export interface Tool<A = never> {
  readonly name: `panel_${string}`;
  readonly title: string;
  readonly description: string;
  /** What it says about the lists that the token may read, after the description. */
  readonly describe?: (lists: readonly ReadableList[], detail: Detail) => string;
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

export const TEXT = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
