import { ApiError } from '../errors/ApiError';
import { emptyReport, type Source, type SourceReport } from './Source';

/** The source of a resource that the panel switched off with `false`. */
export class AbsentSource implements Source {
  readonly statements = 0;

  async inspect(): Promise<SourceReport> {
    return emptyReport('off');
  }

  async report(): Promise<SourceReport> {
    return this.inspect();
  }

  accepts(): boolean {
    return false;
  }

  async count(): Promise<number> {
    return 0;
  }

  chunks(): never {
    throw new ApiError('resource_unavailable');
  }
}
