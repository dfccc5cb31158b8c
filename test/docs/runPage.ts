import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireProgram } from '../servers/requireProgram';
import type { Block, Page } from './Page';
import { FILES, SHELL } from './Page';

/** A block of a page that was run, with what it printed. */
export interface Run {
  readonly block: Block;
  readonly output: string;
}

export interface Place {
  /** The page's directory. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the names that the page uses by those of this place. */
  translate(text: string): string;
}

/** A busy machine starts each command of a page slowly. */
const SECONDS = 400;

/**
 * Runs the shell blocks of a page in one shell, in order, and writes a file when its block is reached. If a command
 * fails, it throws with everything that was printed.
 */
export async function runPage(page: Page, place: Place): Promise<readonly Run[]> {
  const blocks = page.blocks.filter(({ notRun }) => notRun === undefined);
  const shells = blocks.filter(({ info }) => SHELL.test(info));
  if (shells.length === 0) return [];
  if (shells.some(({ text }) => /\bcurl\b/.test(text))) requireProgram('curl', 'curl');
  const script = blocks.map((block, index) => step(block, blocks[index + 1], place)).join('');
  // The tests of deadlines, which run beside this one, go before the installations of a page.
  const child = spawn('nice', ['-n', '4', 'bash', '-c', PRELUDE + script], {
    cwd: place.directory,
    env: { ...process.env, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SECONDS * 1000,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`A command of ${page.path} failed (${code}):\n${printed}`);
  const outputs = printed.split(new RegExp(`\\n?${MARK} \\d+\\n`)).slice(1);
  return shells.map((block, index) => ({ block, output: outputs[index] ?? '' }));
}

const MARK = '@@@ block';

/** Both outputs go into one stream, and a server ends with the page. */
const PRELUDE = `
exec 2>&1
set -e -o pipefail
server=
stop() { if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi; server=; }
trap stop EXIT
# Waits until the server has printed $2 lines to the file $1, and prints them.
await() {
  for attempt in $(seq 400); do
    if [ "$(wc -l < "$1")" -ge "$2" ]; then cat "$1"; return; fi
    kill -0 "$server" || { cat "$1"; return 1; }
    sleep 0.05
  done
  cat "$1"
  return 1
}
`;

function step(block: Block, next: Block | undefined, { translate }: Place): string {
  const { info, line } = block;
  const text = translate(block.text);
  const file = info.split(' ')[1] ?? '';
  if (FILES.test(file))
    return `mkdir -p "$(dirname '${file}')"\ncat > '${file}' <<'${MARK}'\n${text}${MARK}\n`;
  if (!SHELL.test(info)) return '';
  const mark = `printf '\\n${MARK} ${line}\\n'\n`;
  switch (file) {
    case 'server': {
      const lines = next?.language === 'text' ? next.text.trimEnd().split('\n').length : 1;
      const [command = '', own] = text.trimEnd().split(' > ');
      const log = own ?? `.server-${line}.log`;
      return `${mark}stop\n: > ${log}\n${command} >> ${log} 2>&1 &\nserver=$!\nawait ${log} ${lines}\n`;
    }
    case 'fails':
      return `${mark}set +e\n(set -e\n${text})\nended=$?\nset -e\n[ $ended -ne 0 ]\n`;
    default:
      return `${mark}${text}`;
  }
}
