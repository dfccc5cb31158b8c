const { day, hour } = require('./time');

/** As many as tell which tokens are silent. */
const mostDays = 60;
const summedDays = 30;
const mostRefused = 20;

/**
 * Adds requests of a token to the counts that the module keeps: so many of each endpoint per hour, from `since` days ago
 * until `until` days ago. Returns the last ones that were refused. A real panel never writes to these tables.
 */
module.exports = async function addUse(db, random, { id, hourly, since = mostDays, until = 0, address }) {
  const now = Date.now();
  const last = until === 0 ? now - random.integer(0, Math.min(now % hour, 5 * 60_000)) : now - until * day;
  await db('panel_api_rate_limits').insert({
    token_id: id,
    window_start: 0,
    hits: 0,
    last_used_at: Math.floor(last / 1000),
    last_used_address: address,
  });

  const refused = [];
  let sum = 0;
  const days = {};
  for (let at = Math.floor((now - since * day) / hour) + 1; at <= Math.floor(last / hour); at += 1) {
    for (const [endpoint, usual] of Object.entries(hourly)) {
      const failed = Number(random.weighted({ 0: 60, 1: 2, 3: 1 }));
      count(at, endpoint, 2, usual + random.integer(0, 2));
      if (failed === 0) continue;
      count(at, endpoint, 4, failed);
      const time = Math.min(
        Math.floor((at * hour + random.integer(0, hour - 1)) / 1000),
        Math.floor(last / 1000),
      );
      refused.push({
        token_id: id,
        at: time,
        endpoint,
        code: 'query_invalid',
        request_id: `sample-${id}-${time}`,
      });
    }
  }
  function count(at, endpoint, status_class, requests) {
    const date = Math.floor((at * hour) / day);
    days[`${date} ${endpoint} ${status_class}`] ??= {
      token_id: id,
      day: date,
      endpoint,
      status_class,
      requests: 0,
    };
    const ofDay = days[`${date} ${endpoint} ${status_class}`];
    ofDay.requests += requests;
    ofDay.last_at = Math.floor(Math.min(at * hour + random.integer(0, hour - 1), last) / 1000);
    if (date > Math.floor(now / day) - summedDays) sum += requests;
  }

  await db.batchInsert('panel_api_usage', Object.values(days), 50);
  // The module makes this sum of the last 30 days anew with its first write.
  await db('panel_api_usage_tokens').insert({ token_id: id, requests: sum, settled: 0 });
  // The rows of the token 0 have the requests of all.
  for (const { last_at: _last, ...row } of Object.values(days))
    await db('panel_api_usage')
      .insert({ ...row, token_id: 0 })
      .onConflict(['token_id', 'day', 'endpoint', 'status_class'])
      .merge({ requests: db.raw('panel_api_usage.requests + excluded.requests') });
  return refused.slice(-mostRefused);
};
