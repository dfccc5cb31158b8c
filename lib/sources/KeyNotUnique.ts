/** Two rows of a list have the same key, so no page can begin between them. */
export class KeyNotUnique extends Error {
  override readonly name = 'KeyNotUnique';

  constructor(resource: string) {
    super(`Two rows of ${resource} have the same id.`);
  }
}
