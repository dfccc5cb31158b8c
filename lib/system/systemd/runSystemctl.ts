import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs systemctl with these arguments and gives what it prints; rejects where it fails. */
export type RunSystemctl = (args: readonly string[]) => Promise<string>;

const execFileAsync = promisify(execFile);

/**
 * Runs the machine's own systemctl, without a shell, in English and UTC, for two seconds at most. Rejects
 * where there is none, where systemd does not run here, on a time-out and on any exit code but 0.
 */
export async function runSystemctl(args: readonly string[]): Promise<string> {
  const { stdout } = await execFileAsync('systemctl', [...args], {
    timeout: 2000,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', SYSTEMD_COLORS: '0' },
  });
  return stdout;
}
