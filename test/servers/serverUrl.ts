import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Missing } from '../missing';

/**
 * Returns the address of a server that all test files of this run share, and starts it on the first call. Throws
 * `Missing` if the server's program is missing, and an error in unit tests, which have no servers.
 */
export async function serverUrl(name: 'mariadb' | 'postgresql' | 'redis'): Promise<string> {
  const socketPath = join(runDirectory(), 'servers');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path: `/${name}`, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
  const answer = await text(response);
  if (response.statusCode === 501) throw new Missing(answer);
  if (response.statusCode !== 200) throw new Error(answer);
  return answer;
}

/** The folder of this run for SQLite files and sockets. Throws in a run of the unit tests. */
export function runDirectory(): string {
  const directory = process.env.TEST_DIRECTORY;
  if (!directory)
    throw new Error(
      'A unit test asks for a database or a server, and npm run test:unit starts none. ' +
        'A file that needs one must import test/servers, or a fixture that does, by a plain path: then it is no unit test.',
    );
  return directory;
}
