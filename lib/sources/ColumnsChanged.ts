import { DatabaseFailure } from '../database/DatabaseFailure';

/**
 * A statement failed because a column went that the list can do without: whoever asks once more gets the list without
 * it. Not over the same connection, for PostgreSQL has ended the transaction.
 */
export class ColumnsChanged extends DatabaseFailure {
  constructor({ query, code, errno }: DatabaseFailure) {
    super(query, code, errno);
  }
}
