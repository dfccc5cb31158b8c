const { spawn } = require('node:child_process');
const { mkdtempSync } = require('node:fs');
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

/** A temporary directory that is deleted when this process ends. */
class ScratchDirectory {
  #watcher;

  constructor(name) {
    // Not in TMPDIR, because the path of a Unix socket is limited to 107 characters and the user postgres must have
    // access.
    this.path = mkdtempSync(`/tmp/panel-api-${name}-`);
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

module.exports = { ScratchDirectory };
