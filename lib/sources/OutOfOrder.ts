/** A provider's iterable gave rows in another order than that of their ids. */
export class OutOfOrder extends Error {
  override readonly name = 'OutOfOrder';

  constructor(resource: string) {
    super(`The rows of ${resource} do not come in the order of their ids.`);
  }
}
