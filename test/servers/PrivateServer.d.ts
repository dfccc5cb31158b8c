import type { ScratchDirectory } from '../ScratchDirectory';

interface Settings {
  readonly directory: ScratchDirectory;
  readonly program: string;
  /** Read at each start. */
  readonly args: readonly string[];
  /** The user and group as which it runs, if others than those of the tests. */
  readonly identity?: { readonly uid: number; readonly gid: number } | undefined;
  readonly stopSignal: NodeJS.Signals;
  readonly url: string;
  readonly port: number;
  readonly socket: string;
  /** Called until it no longer throws: then the server is ready. */
  ready(): Promise<void>;
}

export class PrivateServer {
  constructor(settings: Settings);
  readonly url: string;
  readonly port: number;
  readonly socket: string;
  /** The process of the server itself; undefined before its start. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}
