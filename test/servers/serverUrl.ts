import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * The address of a server that the test files of this run share; the first that asks starts it.
 * Throws if the server's program is missing, and in a run of the unit tests, which has no servers.
 */
export async function serverUrl(name: 'mariadb' | 'postgresql' | 'redis'): Promise<string> {
  const socketPath = join(runDirectory(), 'servers');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path: `/${name}`, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(answer);
  return answer;
}

/** The folder of this run for SQLite files and sockets. Throws in a run of the unit tests. */
export function runDirectory(): string {
  const directory = process.env.TEST_DIRECTORY;
  if (!directory)
    throw new Error(
      'A test asks for a database or a server, and this run has none. Start it with npm run test:one -- FILE. ' +
        'If npm run test:unit started it, the test reaches test/servers in a way that test/servers/leaveOut.js does not see.',
    );
  return directory;
}
