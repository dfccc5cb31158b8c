/** The time of a request was over before its answer was there. */
export class Deadline extends Error {
  override readonly name = 'Deadline';
}
