const { day, hour } = require('./time');

const mostDays = 30;

/**
 * Adds requests of a token to the counts that the module keeps: so many of each endpoint per hour, from `since` days ago
 * until `until` days ago. A real panel never writes to these tables.
 */
module.exports = async function addUse(db, random, { id, hourly, since = mostDays, until = 0, address }) {
  const now = Date.now();
  const last = until === 0 ? now - random.integer(0, Math.min(now % hour, 5 * 60_000)) : now - until * day;
  await db('panel_api_tokens')
    .where({ id })
    .update({ last_used_at: Math.floor(last / 1000), last_used_address: address });

  const hours = {};
  const days = {};
  for (let at = Math.floor((now - since * day) / hour) + 1; at <= Math.floor(last / hour); at += 1) {
    for (const [endpoint, usual] of Object.entries(hourly)) {
      const failed = Number(random.weighted({ 0: 60, 1: 2, 3: 1 }));
      count(at, endpoint, 2, usual + random.integer(0, 2));
      if (failed > 0) count(at, endpoint, 4, failed);
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
    days[`${date} ${endpoint} ${status_class}`].requests += requests;
    hours[`${at} ${status_class}`] ??= { hour: at, status_class, requests: 0 };
    hours[`${at} ${status_class}`].requests += requests;
  }

  await db.batchInsert('panel_api_usage', Object.values(days), 50);
  const present = Math.floor(now / hour);
  const recent = Object.values(hours).filter(({ hour: at }) => at > present - 24);
  if (recent.length === 0) return;
  await db('panel_api_usage_hours')
    .insert(recent)
    .onConflict(['hour', 'status_class'])
    .merge({ requests: db.raw('panel_api_usage_hours.requests + excluded.requests') });
};
