import type { CheckedOptions } from '../options/MountOptions';

/** The options of the mount that fix settings. */
export type FixingOptions = Pick<CheckedOptions, 'enabled' | 'rateLimit' | 'httpsRequired'>;

/** One setting: what it is, how it is kept, and what fixes it. */
export interface Setting<T> {
  /** Its name in the table, the command and the audit trail. */
  readonly name: string;
  /** What it says, for people. */
  readonly meaning: string;
  /** What a form calls it. */
  readonly title: string;
  /**
   * What holds while nothing is stored, and where what is stored cannot be read: for a setting that guards something,
   * the safe side.
   */
  readonly initial: T;
  /** What its values are, as a sentence has it after "must be". */
  readonly expects: string;
  /** The least and the greatest number, where it is one; 0 is among them where it says "never". */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** The option of the mount that fixes it, as its path. */
  readonly option?: string;
  /** The option's value as the mount gave it; undefined where it did not. */
  given?(options: FixingOptions): T | (() => T | Promise<T>) | undefined;
  /** What somebody wants it to be; undefined where it cannot be that. */
  accept(value: unknown): T | undefined;
  /** What its stored text says; undefined where that is no value. */
  read(text: string): T | undefined;
  write(value: T): string;
}
