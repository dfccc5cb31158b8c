const { createHash } = require('node:crypto');
const { nowSeconds } = require('../panel/nowSeconds');

/** Looks up the hash of the token in the header, and stores its use. */
function authenticate(db) {
  return async (ctx, next) => {
    const [, given] = /^Bearer (\S+)$/.exec(ctx.get('authorization')) ?? [];
    if (!given) ctx.throw(401, 'The token is missing.');
    const hash = createHash('sha256').update(given).digest();
    const token = await db('panel_api_tokens').where({ hash }).first();
    if (!token || token.revoked_at !== null) ctx.throw(401, 'The token is not valid.');
    const now = nowSeconds();
    if (token.expires_at !== null && token.expires_at <= now) ctx.throw(401, 'The token has expired.');
    await db('panel_api_tokens').where({ id: token.id }).update({ last_used_at: now });
    ctx.state.token = { ...token, last_used_at: now };
    await next();
  };
}

module.exports = { authenticate };
