/** Two rows of a list have the same key, so that nobody could go on behind the first of them without the other. */
export class KeyNotUnique extends Error {
  override readonly name = 'KeyNotUnique';

  constructor(resource: string) {
    super(`Two rows of ${resource} have the same id.`);
  }
}
