const fs = require('node:fs');
const path = require('node:path');
const rows = require('./rows');

/** Creates the tables in an empty database and fills them. */
module.exports = async function load(db) {
  const statements = fs.readFileSync(path.join(__dirname, 'tables.sql'), 'utf8').split(/;\n/);
  for (const statement of statements.filter((text) => text.trim() !== '')) await db.raw(statement);
  for (const [table, members] of Object.entries(rows)) {
    for (const member of members) await db(table).insert(member);
  }
};
