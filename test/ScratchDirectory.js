const { spawn } = require('node:child_process');
const { mkdtempSync, statfsSync } = require('node:fs');
const { rm } = require('node:fs/promises');

/**
 * The standard input of this script closes when the process that created the directory ends, even by SIGKILL. The
 * script then stops the server in the directory, if there is one, and deletes the directory.
 */
const cleanUpAfterUs = `
read -r nothing
if read -r pid signal <"$1/pid"; then
  kill -CONT "$pid"
  kill -"$signal" "$pid"
  for attempt in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.3; done
  kill -KILL "$pid"
fi 2>/dev/null
rm -rf -- "$1"
`;

const MEMORY = '/dev/shm';
const BYTES_NEEDED = 4 * 1024 ** 3;

/** A temporary directory that is deleted when this process ends. It is in memory if there is enough of it, unless `onDisk`. */
class ScratchDirectory {
  #watcher;

  constructor(name, { onDisk = false } = {}) {
    // Not in TMPDIR, because the path of a Unix socket is limited to 107 characters and the user postgres must have
    // access.
    const parent = !onDisk && hasMemory() ? MEMORY : '/tmp';
    this.path = mkdtempSync(`${parent}/panel-api-${name}-`);
    this.#watcher = spawn('sh', ['-c', cleanUpAfterUs, 'sh', this.path], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#watcher.unref();
    this.#watcher.stdin.unref();
  }

  async remove() {
    await rm(this.path, { recursive: true, force: true });
    this.#watcher.kill('SIGKILL');
  }
}

/** The databases of the tests write all the time, and wait for a disk longer than they compute. */
function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= BYTES_NEEDED;
  } catch {
    return false;
  }
}

module.exports = { ScratchDirectory };
