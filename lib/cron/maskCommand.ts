import { MASK } from './mask/mask';
import { maskAddresses } from './mask/maskAddresses';
import { maskFields } from './mask/maskFields';
import { maskKnownSecrets } from './mask/maskKnownSecrets';
import { maskRandomRuns } from './mask/maskRandomRuns';
import { maskWords } from './mask/maskWords';

/** Longer ones are masked whole; crontabs hold about a thousand characters a line. */
const MAX_LENGTH = 4096;
const MAX_PASSES = 5;

/**
 * A cron command with `***` for everything that looks like a secret, the rest readable. Masking a masked command
 * changes nothing. It goes by names and forms, so a secret that has neither (`echo hunter2 | login`) stays; where
 * it cannot tell a secret from something else, it masks. The result is for reading, not for running.
 */
export function maskCommand(command: string): string {
  let text = command;
  // A mask may change how broken quoting around it reads: until nothing changes, or else all of it is hidden.
  for (let pass = 0; pass < MAX_PASSES && text.length <= MAX_LENGTH; pass++) {
    const masked = maskOnce(text);
    if (masked === text) return masked;
    text = masked;
  }
  return MASK;
}

function maskOnce(command: string): string {
  return maskRandomRuns(maskAddresses(maskWords(maskFields(maskKnownSecrets(command)))));
}
