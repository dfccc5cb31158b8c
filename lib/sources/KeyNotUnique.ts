/** Two rows of a list have the same key, so that nobody could go on behind the first of them without the other. */
export class KeyNotUnique extends Error {
  /** The list. */
  readonly resource: string;

  constructor(resource: string) {
    super(`Two rows of ${resource} have the same id.`);
    this.name = 'KeyNotUnique';
    this.resource = resource;
  }
}
