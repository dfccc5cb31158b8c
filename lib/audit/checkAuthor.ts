import { InvalidInput } from '../errors/InvalidInput';
import { type Author, ORIGINS } from './AuditLog';

const LONGEST_ACTOR = 128;

/** Whether the audit trail could name somebody so. */
export function isActor(actor: unknown): actor is string {
  return (
    typeof actor === 'string' && actor.trim() !== '' && actor.length <= LONGEST_ACTOR && !actor.includes('\0')
  );
}

/** Refuses an author whom the audit trail could not name. Throws InvalidInput. */
export function checkAuthor(author: Author): void {
  const { actor, origin } = author ?? {};
  if (!isActor(actor)) {
    throw new InvalidInput('actor', `The actor must be a name of 1 to ${LONGEST_ACTOR} characters.`);
  }
  if (!ORIGINS.includes(origin)) {
    throw new InvalidInput('origin', `The origin must be one of ${ORIGINS.join(', ')}.`);
  }
}
