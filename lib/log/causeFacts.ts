import { DatabaseFailure } from '../database/DatabaseFailure';
import { Deadline } from '../errors/Deadline';
import { ForeignTable } from '../migrations/ForeignTable';
import { UnreadableRow } from '../sources/UnreadableRow';
import { printable } from '../text/printable';

/** What the log may say of the cause of a failure: names and places, and never a message that could hold a value. */
export function causeFacts(cause: unknown): Readonly<Record<string, string>> {
  try {
    return facts(cause);
  } catch {
    // A panel's function may throw what cannot even be looked at.
    return { cause: 'unreadable' };
  }
}

function facts(cause: unknown): Readonly<Record<string, string>> {
  if (cause === undefined) return {};
  if (cause instanceof DatabaseFailure) return databaseFacts(cause);
  if (cause instanceof UnreadableRow) {
    const thrown = 'cause' in cause ? facts(cause.cause) : {};
    return { cause: cause.name, ...thrown, cause_field: cause.field };
  }
  if (cause instanceof Deadline) return { cause: cause.name };
  if (!(cause instanceof Error)) return { cause: typeof cause };
  const place = firstFrame(cause);
  return { cause: printable(cause.name, 64), ...(place === null ? {} : { cause_at: printable(place) }) };
}

function databaseFacts(failure: DatabaseFailure): Readonly<Record<string, string>> {
  const { code, errno, query } = failure;
  return {
    cause: code,
    ...(errno === null ? {} : { cause_errno: String(errno) }),
    cause_query: query,
    ...(failure instanceof ForeignTable ? { cause_table: failure.table } : {}),
  };
}

function firstFrame({ stack, message }: Error): string | null {
  if (typeof stack !== 'string') return null;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return /^\s+at (.*:\d+:\d+\)?)$/m.exec(frames)?.[1] ?? null;
}
