const { openHandle } = require('./openHandle');

/** Makes an empty database, and gives its URL. */
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
