/** The part of `me.php` that is the same in every answer. */
function lastingPart({ data: { token, rate_limit: rateLimit, ...rest } }) {
  const { last_used_at: _used, ...lasting } = token;
  const { limit, window_seconds: windowSeconds } = rateLimit;
  return { ...rest, token: lasting, rateLimit: { limit, windowSeconds } };
}

module.exports = { lastingPart };
