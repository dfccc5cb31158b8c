import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { parseExactJson } from './parseExactJson';
import { type CopyMeta, type Store, storeError } from './Store';

/** As `JSON.parse` types what it returns. */
type Json = ReturnType<typeof JSON.parse>;

/** When this process began, in milliseconds. */
const BEGAN = Math.round(performance.timeOrigin);

/**
 * A copy of a list in a file, for the processes of one machine. Only its owner can read the file. Its first line names
 * the process that wrote it. Each other one has a key, a tab and an item, in any order. The key of the last one is empty:
 * it has what the copy knows of itself, and a digest of the file. A run writes a new file, which then replaces this one.
 */
export class FileStore<T = Json> implements Store<Json, T> {
  readonly #path: string;
  #file: number | null = null;
  /** Where the line of each key begins, negative if a run has replaced or deleted it; null until the file was read. */
  #starts: Map<unknown, number> | null = null;
  #meta: CopyMeta | null = null;
  #buffer = Buffer.alloc(2 ** 12);
  /** The file that a run writes. */
  #newFile: number | null = null;
  #hash = createHash('sha256');

  /** If there is no such file, the copy is empty. */
  constructor(path: string) {
    this.#path = path;
  }

  get(key: Json): T | null {
    const start = this.#read().get(key);
    const line = start === undefined ? 'null' : this.#line(Math.abs(start));
    return parseExactJson(line.slice(line.indexOf('\t') + 1)) as T | null;
  }

  keys(): IterableIterator<Json> {
    return this.#read().keys();
  }

  getMeta(): CopyMeta | null {
    return this.#read() && this.#meta;
  }

  put(item: T, key: Json): void {
    this.delete(key);
    this.#write(`${exactJson(key)}\t${exactJson(item)}\n`);
  }

  delete(key: Json): void {
    const start = this.#read().get(key);
    if (start !== undefined) this.#read().set(key, -Math.abs(start));
  }

  putMeta(meta: CopyMeta): void {
    this.#meta = meta;
  }

  /** For `sync`, as are `put`, `delete` and `putMeta`. */
  async transaction<R>(work: () => Promise<R>): Promise<R> {
    const path = `${this.#path}.new`;
    // A process that was killed has left it.
    if (existsSync(path)) {
      const other = openSync(path, 'r');
      const writer = this.#line(0, other);
      closeSync(other);
      if (isAlive(writer)) throw storeError('COPY_BUSY');
      rmSync(path, { force: true });
    }
    const file = openSync(path, 'wx', 0o600);
    this.#reset();
    [this.#newFile, this.#hash] = [file, createHash('sha256')];
    try {
      this.#write(`${process.pid} ${BEGAN}\n`);
      const result = await work();
      for (const start of this.#read().values()) if (start > 0) this.#write(`${this.#line(start)}\n`);
      const meta = JSON.stringify(this.#meta);
      writeFileSync(file, `\t${meta}\t${this.#hash.update(meta).digest('hex')}\n`);
      fsyncSync(file);
      // After a jump of the clock, another process may have taken this one for dead.
      if (!isAt(path, file)) throw storeError('COPY_BUSY');
      // Some systems replace no file that is open.
      this.#reset();
      renameSync(path, this.#path);
      return result;
    } finally {
      // If the run has failed, the file is still there.
      if (isAt(path, file)) rmSync(path);
      closeSync(file);
      this.#newFile = null;
      this.#reset();
    }
  }

  /** Closes the file, unless a run goes on. Another call opens it again, and finds what other processes have changed. */
  close(): void {
    // A run needs what it has read, and closes the file itself.
    if (this.#newFile === null) this.#reset();
  }

  #reset(): void {
    if (this.#file !== null) closeSync(this.#file);
    [this.#file, this.#starts, this.#meta] = [null, null, null];
  }

  #write(line: string): void {
    writeFileSync(this.#newFile as number, line);
    this.#hash.update(line);
  }

  /** Returns where the lines begin. Throws an Error with the code COPY_DAMAGED if the file is not as it was written. */
  #read(): Map<unknown, number> {
    if (this.#starts) return this.#starts;
    const [starts, hash] = [new Map<unknown, number>(), createHash('sha256')];
    this.#starts = starts;
    if (!existsSync(this.#path)) return starts;
    this.#file = openSync(this.#path, 'r');
    try {
      let [line, start] = [this.#line(0), 0];
      while (!line.startsWith('\t')) {
        if (start > 0) starts.set(parseExactJson(line.slice(0, line.indexOf('\t'))), start);
        hash.update(`${line}\n`);
        start += Buffer.byteLength(line) + 1;
        line = this.#line(start);
      }
      const [, meta = '', digest] = line.split('\t');
      const isAll = fstatSync(this.#file).size === start + Buffer.byteLength(line) + 1;
      if (!isAll || digest !== hash.update(meta).digest('hex')) throw storeError('COPY_DAMAGED');
      this.#meta = JSON.parse(meta);
      return starts;
    } catch (error) {
      this.#reset();
      throw error instanceof SyntaxError ? storeError('COPY_DAMAGED') : error;
    }
  }

  /** Returns the line that begins here; an empty text if it has no end. */
  #line(start: number, file = Number(this.#file)): string {
    for (let size = 2 ** 12; ; size *= 2) {
      if (size > this.#buffer.length) this.#buffer = Buffer.alloc(size);
      const length = readSync(file, this.#buffer, 0, size, start);
      const end = this.#buffer.subarray(0, length).indexOf('\n');
      if (end >= 0 || length < size) return this.#buffer.toString('utf8', 0, Math.max(end, 0));
    }
  }
}

/** Whether the open file is the one at this path. */
function isAt(path: string, file: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
}

/** Whether a process lives: not another one of its number, of before a restart, of another container or user. */
function isAlive(writer: string): boolean {
  const [pid = 0, began = 0] = writer.split(' ').map(Number);
  if (pid === process.pid || began < Date.now() - uptime() * 1000) return began === BEGAN;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Like `JSON.stringify`, with all digits of a bigint. */
function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Object(value) !== value) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(exactJson)}]`;
  return `{${Object.entries(Object(value)).map(([name, one]) => `${JSON.stringify(name)}:${exactJson(one)}`)}}`;
}
