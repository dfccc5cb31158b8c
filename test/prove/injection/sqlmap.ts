import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runDirectory } from '../../servers/serverUrl';

/** What sqlmap attacks, and how hard. */
export interface Attack {
  readonly url: string;
  /** A `*` in the URL or in the token marks the place that is attacked instead of the parameters. */
  readonly token: string;
  readonly dbms: string;
  readonly level: number;
  readonly risk: number;
  /** The parameters to attack; all by default. */
  readonly parameters?: readonly string[];
}

/** The places that sqlmap found open or closed to SQL: names of parameters, or `Authorization` and `path`. */
export interface Verdict {
  readonly open: readonly string[];
  readonly closed: readonly string[];
}

/** Runs sqlmap and returns its verdict about each place. */
export async function attack({ url, token, dbms, level, risk, parameters }: Attack): Promise<Verdict> {
  // Its session, its output and its settings.
  const home = await mkdtemp(join(runDirectory(), 'sqlmap-'));
  const options = `--dbms ${dbms} --level ${level} --risk ${risk} --time-sec 2 --threads 4 --ignore-code 400,401,404 --batch --disable-coloring`;
  const args = [
    ...options.split(' '),
    ...(parameters ? ['-p', parameters.join()] : []),
    ...Object.entries({
      '-u': url,
      '--headers': `Authorization: Bearer ${token}`,
      '--output-dir': home,
    }).flat(),
  ];
  const running = promisify(execFile)('sqlmap', args, {
    env: { ...process.env, HOME: home },
    maxBuffer: 2 ** 26,
  });
  // It would read more targets there.
  running.child.stdin?.end();
  const { stdout } = await running;
  const placesIn = (lines: RegExp) => [...stdout.matchAll(lines)].map(([, name = '']) => placeOf(name));
  // A delay comes only from SQL, even if no data can be read through it: the module drops the rows that SQL adds.
  const delayed = placesIn(/parameter '(.+?)' appears to be '[^']*time-based[^']*' injectable/g);
  const open = [...placesIn(/^Parameter: (.+?) \(/gm), ...delayed];
  const closed = placesIn(/parameter '(.+?)' does not seem to be injectable/g).filter(
    (place) => !open.includes(place),
  );
  if (open.length + closed.length === 0) throw new Error(`sqlmap attacked nothing: ${stdout.slice(-2000)}`);
  return { open: [...new Set(open)], closed: [...new Set(closed)] };
}

/** sqlmap calls a marked place `#1*`, with the name of the header before it. */
function placeOf(name: string): string {
  if (name.startsWith('Authorization')) return 'Authorization';
  return name.startsWith('#') ? 'path' : name;
}
