import type { Installation } from '../lib/Installation';
import type { ApiSectionOptions } from './ApiSectionOptions';
import type { FormKey } from './safety/FormKey';

/** What one mount of the section consists of. */
export interface Section {
  readonly options: ApiSectionOptions;
  readonly installation: Installation;
  readonly formKey: FormKey;
}
