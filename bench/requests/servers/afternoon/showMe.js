const { envelope } = require('../panel/envelope');
const { me } = require('../panel/me');
const { timeText } = require('../panel/timeText');
const { requests, windowSeconds } = require('./limitRequests');

function showMe(ctx) {
  const rateLimit = {
    limit: requests,
    window_seconds: windowSeconds,
    remaining: Number(ctx.response.get('X-RateLimit-Remaining')),
    resets_at: timeText(Math.ceil(Number(ctx.response.get('X-RateLimit-Reset')))),
  };
  ctx.body = envelope('Token loaded.', me(ctx.state.token, rateLimit, ctx.ip));
}

module.exports = { showMe };
