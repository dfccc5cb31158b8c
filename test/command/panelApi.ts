import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtCommand } from '../servers/builtCommand';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface Circumstances {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Nobody reads standard output. */
  readonly closedPipe?: boolean;
  /** The command runs on a terminal of its own, where this is typed; standard error comes with standard output. */
  readonly typed?: string;
}

/** Runs the command on the database with this URL, and gives how it ended. */
export async function panelApi(
  url: string,
  args: readonly string[],
  { cwd = process.cwd(), env = {}, closedPipe = false, typed }: Circumstances = {},
): Promise<Ended> {
  const started = performance.now();
  const words = [process.execPath, builtCommand(), ...args];
  const [file = '', ...rest] =
    typed === undefined ? words : ['script', '-qec', words.map(quoted).join(' '), '/dev/null'];
  const child = spawn(file, rest, {
    cwd,
    env: { ...process.env, SUDO_USER: '', PANEL_API_DATABASE_URL: url, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  if (closedPipe) child.stdout.destroy();
  child.stdin.end(typed);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr, milliseconds: performance.now() - started };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
