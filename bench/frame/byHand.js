const { createHash } = require('node:crypto');

/**
 * The tables of the contestants by hand. They have the types, keys and tokens that the module's had when the contestants
 * were written, so that a change of the module's tables changes no contestant.
 */
async function createByHandTables(db, { hashType }) {
  await db.schema.createTable('by_hand_settings', (table) => {
    table.string('name', 64).primary();
    table.text('value').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.string('updated_by', 128).notNullable();
  });
  await db.schema.createTable('by_hand_tokens', (table) => {
    table.increments('id');
    table.string('name', 128).notNullable();
    table.string('prefix', 32).notNullable();
    table.specificType('hash', hashType).notNullable().unique();
    table.text('scopes').notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('created_by', 128).notNullable();
    table.bigInteger('expires_at').index();
    for (const name of ['last_used_at', 'revoked_at', 'rotated_at']) table.bigInteger(name);
    table.string('revoked_by', 128);
    table.text('accounts', 'mediumtext');
    for (const name of ['allowed_addresses', 'note', 'seen_networks']) table.text(name);
    table.integer('rate_limit');
    table.integer('lineage').index();
    table.string('request', 64).unique();
    table.string('last_used_address', 64);
    table.integer('version').notNullable().defaultTo(1);
    table.smallint('told_days');
  });
  await db.schema.createTable('by_hand_rate_limits', (table) => {
    table.integer('token_id').primary();
    table.bigInteger('window_start').notNullable();
    table.bigInteger('hits').notNullable();
  });
  const changed = { updated_at: nowSeconds(), updated_by: 'benchmark' };
  await db('by_hand_settings').insert({ name: 'enabled', value: 'true', ...changed });
}

/** Adds a token that the module has created, so that clients send the same one to all contestants. */
async function addByHandToken(db, token, { name, scopes, rateLimit = null }) {
  const now = nowSeconds();
  await db('by_hand_tokens').insert({
    name,
    prefix: token.slice(0, 10),
    hash: hashOf(token),
    scopes: scopes.join(' '),
    created_at: now,
    created_by: 'benchmark',
    expires_at: now + 90 * 86_400,
    rate_limit: rateLimit,
  });
}

/** Whether the last use of this token is stored. */
async function isUsedByHand(db, token) {
  const { last_used_at: at } = await db('by_hand_tokens')
    .where({ hash: hashOf(token) })
    .first();
  return at !== null;
}

const hashOf = (token) => createHash('sha256').update(token).digest();

const nowSeconds = () => Math.floor(Date.now() / 1000);

module.exports = { addByHandToken, createByHandTables, isUsedByHand };
