import { ApiError } from '../errors/ApiError';
import type { Source, SourceReport } from './Source';

/** The source of a resource that the panel switched off with `false`. */
export class AbsentSource implements Source {
  async inspect(): Promise<SourceReport> {
    return { state: 'off', missing: [], warnings: [], itemSchema: {} };
  }

  async report(): Promise<SourceReport> {
    return this.inspect();
  }

  async probe(): Promise<void> {
    throw new ApiError('resource_unavailable');
  }

  async rows(): Promise<never> {
    throw new ApiError('resource_unavailable');
  }
}
