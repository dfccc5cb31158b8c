import { CommandFailure } from './CommandFailure';

/** For a function of the panel's, the option `enabled`, that fails; its error may carry anything. */
export function panelFailed(): never {
  throw new CommandFailure('setup', "The panel's own setting, the option enabled, could not be read.");
}
