const { createPanelApi } = require('../../..');
const { openHandle } = require('../../database/openHandle');

const table = 'panel_api_tokens';
const rowsInOneStatement = 100_000;
const usable = 64;
const author = { actor: 'benchmark', origin: 'panel' };
const silent = { info() {}, warn() {}, error() {} };

/** Switches the API on, fills the table with this many tokens, and returns 64 of them. */
async function seedTokens(url, count) {
  const db = openHandle(url);
  try {
    const api = createPanelApi({ db, logger: silent });
    await api.settings.enable(author);
    const tokens = [];
    while (tokens.length < usable) {
      const { token } = await api.tokens.create({ name: 'Benchmark', scopes: ['*'] }, author);
      tokens.push(token);
    }
    await fill(db, count - usable);
    return tokens;
  } finally {
    await db.destroy();
  }
}

/** Rows of tokens that no client has; their hashes are random. */
async function fill(db, count) {
  for (let first = 1; first <= count; first += rowsInOneStatement) {
    const last = Math.min(count, first + rowsInOneStatement - 1);
    await db.raw(
      `insert into ${table} (name, prefix, hash, scopes, created_at, created_by, expires_at)
       select concat('Integration ', seq), concat('pnl_', left(sha2(seq, 256), 6)),
         unhex(sha2(concat('token', seq), 256)), 'domains.read jobs.read', unix_timestamp(), 'benchmark',
         unix_timestamp() + 86400 + seq
       from seq_${first}_to_${last}`,
    );
  }
  await db.raw(`analyze table ${table}`);
}

module.exports = { seedTokens };
