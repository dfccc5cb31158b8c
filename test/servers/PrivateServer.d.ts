export interface PrivateServer {
  readonly url: string;
  readonly port: number;
  readonly socket: string;
  /** The process of the server itself; undefined before its start. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}
