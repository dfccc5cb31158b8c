const { openHandle } = require('./openHandle');

const rowsInOneStatement = 100_000;

/** Creates the tables of the lists and fills each with its number of rows, using MariaDB's sequences. */
async function fillTables(url, lists, say) {
  const db = openHandle(url);
  try {
    for (const list of lists) {
      const started = Date.now();
      await fillTable(db, list);
      say(`${list.name}: ${list.rows.toLocaleString('en')} rows made in ${Date.now() - started} ms`);
    }
  } finally {
    await db.destroy();
  }
}

async function fillTable(db, { name, rows, columns, secrets }) {
  const stored = Object.entries({ ...columns, ...secrets });
  const definitions = stored.map(([column, { type }]) => `\`${column}\` ${type}`);
  await db.raw(`create table \`${name}\` (${definitions.join(', ')}) engine=innodb`);
  const values = stored.map(([, { value }]) => value).join(', ');
  for (let first = 1; first <= rows; first += rowsInOneStatement) {
    const last = Math.min(rows, first + rowsInOneStatement - 1);
    await db.raw(`insert into \`${name}\` select ${values} from seq_${first}_to_${last}`);
  }
  await db.raw(`analyze table \`${name}\``);
}

module.exports = { fillTables };
