const { readdir, stat } = require('node:fs/promises');
const { join } = require('node:path');

const folder = join(__dirname, '..', 'backups');

/** @param {string} name */
async function backup(name) {
  const { size, mtime } = await stat(join(folder, name));
  return {
    id: name,
    status: 'succeeded',
    finished_at: mtime.toISOString(),
    size_bytes: size,
    file_name: name,
  };
}

/** @type {import('koa-panel-api').Sources['backups']} */
module.exports = {
  fields: ['id', 'status', 'finished_at', 'size_bytes', 'file_name'],
  rows: async () => Promise.all((await readdir(folder)).map(backup)),
};
