import { DatabaseFailure } from '../database/DatabaseFailure';

/**
 * A statement failed because a table or a column went: whoever asks once more looks first, and gets the list without it
 * or hears that there is none. Not over the same connection, for PostgreSQL has ended the transaction.
 */
export class ColumnsChanged extends DatabaseFailure {
  constructor({ query, code, errno }: DatabaseFailure) {
    super(query, code, errno);
  }
}
