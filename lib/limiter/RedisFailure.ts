import { ErrorWithFacts } from '../log/PanelLog';

/** Redis refused a command, or did not answer in time. Its name is the code in Redis's answer, or `RedisTimeout`. */
export class RedisFailure extends ErrorWithFacts {
  readonly facts = {};

  constructor(name: string) {
    super('Redis did not count a request.');
    this.name = name;
  }

  /** Names the error by the code in Redis's answer, such as READONLY. Returns any other error as it is. */
  static of(error: unknown): unknown {
    const code = error instanceof Error ? /^[A-Z]{2,32}(?= )/.exec(error.message)?.[0] : undefined;
    return code ? new RedisFailure(code) : error;
  }
}
