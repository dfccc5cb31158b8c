import { InvalidInput } from '../errors/InvalidInput';
import { DAY_SECONDS } from '../time/daySeconds';
import { checkRequestId } from './checkRequestId';

const LONGEST_GRACE = 30 * DAY_SECONDS;

export interface RotationRequest {
  /** How long the old token is still good, in seconds: 0, which ends it at once, to 2,592,000 (30 days). */
  readonly graceSeconds: number;
  /** A name of this very request, as for a new token. */
  readonly requestId?: string;
}

/** Settles a request for a rotation. Throws InvalidInput, naming what is wrong. */
export function checkRotation(request: RotationRequest): {
  readonly graceSeconds: number;
  readonly requestId: string | null;
} {
  const given: Partial<RotationRequest> = request ?? {};
  if (Object.keys(given).some((name) => name !== 'graceSeconds' && name !== 'requestId')) {
    throw new InvalidInput('request', 'A rotation has graceSeconds and requestId.');
  }
  const { graceSeconds } = given;
  if (
    !Number.isSafeInteger(graceSeconds) ||
    !(Number(graceSeconds) >= 0 && Number(graceSeconds) <= LONGEST_GRACE)
  ) {
    throw new InvalidInput(
      'graceSeconds',
      `The grace must be a whole number of seconds from 0 to ${LONGEST_GRACE}.`,
    );
  }
  return { graceSeconds: Number(graceSeconds), requestId: checkRequestId(given) };
}
