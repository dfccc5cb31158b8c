import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';

/** A panel in its own process. */
export interface StartedPanel {
  readonly panel: ChildProcess;
  readonly url: string;
  /** A token with every scope. */
  readonly token: string;
}

/** Starts a panel by its file, and waits until it listens. */
export async function startPanel(
  file: string,
  args: readonly string[],
  options: ForkOptions,
): Promise<StartedPanel> {
  const panel = fork(file, args, options);
  const ended = once(panel, 'exit').then(() => {
    throw new Error(`${file} has ended.`);
  });
  const [started] = await Promise.race([once(panel, 'message'), ended]);
  return { panel, ...(started as Omit<StartedPanel, 'panel'>) };
}

type LogLine = Readonly<Record<string, unknown>>;

/** The lines of the module's log. */
export async function logOf({ panel }: Pick<StartedPanel, 'panel'>): Promise<readonly LogLine[]> {
  panel.send('log');
  const [{ lines }] = (await once(panel, 'message')) as [{ lines: readonly LogLine[] }];
  return lines;
}

/** The lines of the module's log about requests. */
export async function requestLinesOf(started: Pick<StartedPanel, 'panel'>): Promise<readonly LogLine[]> {
  return (await logOf(started)).filter(({ message }) => message === 'panel-api request');
}
