const { openHandle } = require('./openHandle');

/** Creates an empty database and returns its URL. */
async function addDatabase(url, name) {
  const db = openHandle(url);
  try {
    await db.raw('create database ??', [name]);
    return new URL(name, url).href;
  } finally {
    await db.destroy();
  }
}

module.exports = { addDatabase };
