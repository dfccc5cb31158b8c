import { ErrorWithFacts } from './PanelLog';

/** What a second check has to confirm before data is sent, because a breach would be a leak. */
type Invariant = 'scope' | 'page_length' | 'cursor';

/** A check that had passed before fails: a fault of the module. It never contains data. */
export class InvariantBroken extends ErrorWithFacts {
  override readonly name = 'InvariantBroken';
  readonly facts: { readonly cause_invariant: Invariant };

  constructor(invariant: Invariant) {
    super('An invariant of the module is broken.');
    this.facts = { cause_invariant: invariant };
  }
}

/** Throws InvariantBroken unless the condition holds. */
export function ensure(holds: boolean, invariant: Invariant): void {
  if (!holds) throw new InvariantBroken(invariant);
}
