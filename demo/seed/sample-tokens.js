const { day, hour } = require('./time');
const createRandom = require('./random');

const who = { actor: 'admin', origin: 'panel' };

/** The tokens of programs that a panel usually serves, with the requests that each sends in an hour. */
const samples = [
  {
    name: 'Monitoring',
    scopes: ['profile.read', 'services.read', 'ssl.read', 'jobs.read'],
    days: 300,
    hourly: 12,
  },
  { name: 'Billing', scopes: ['profile.read', 'accounts.read', 'domains.read'], days: 40, hourly: 3 },
  { name: 'Backup report', scopes: ['backups.read', 'jobs.read'], days: 6, hourly: 1 },
  { name: 'Old dashboard', scopes: ['*'], days: null, hourly: 0 },
];

const endpoints = {
  'services.read': 'services',
  'ssl.read': 'ssl',
  'accounts.read': 'accounts',
  'backups.read': 'backups',
};

/**
 * Creates sample tokens at the first start, so that the API section looks as it does after months. Their age and their
 * use are sample data, written into the module's tables, which a real panel must never do: the audit trail still says
 * when they were really created. Their plain tokens are thrown away.
 */
module.exports = async function sampleTokens(db, api) {
  if ((await api.tokens.list()).length > 0) return;
  const random = createRandom(15);
  const now = Math.floor(Date.now() / 1000);
  for (const { name, scopes, days, hourly } of samples) {
    const expiry = days === null ? {} : { expiresInSeconds: (days * day) / 1000 };
    const { record } = await api.tokens.create({ name, scopes, ...expiry }, who);
    await db('panel_api_tokens')
      .where({ id: record.id })
      .update({
        created_at: now - (120 * day) / 1000,
        last_used_at: now - (hourly > 0 ? random.integer(60, 1800) : (100 * day) / 1000),
      });
    if (hourly > 0) await addUse(db, record, hourly, random);
  }
};

/** Thirty days, hour by hour, so that the counts by day and by hour say the same. */
async function addUse(db, { id, scopes }, hourly, random) {
  const present = Math.floor(Date.now() / hour);
  const endpoint = scopes.map((scope) => endpoints[scope]).find(Boolean);
  const hours = Array.from({ length: 30 * 24 }, (_, age) => [
    { hour: present - age, status_class: 2, requests: hourly + random.integer(0, 2) },
    { hour: present - age, status_class: 4, requests: Number(random.weighted({ 0: 60, 1: 2, 3: 1 })) },
  ])
    .flat()
    .filter(({ requests }) => requests > 0);
  const days = {};
  for (const { hour: at, status_class, requests } of hours) {
    const date = Math.floor(at / 24);
    const empty = { token_id: id, endpoint, day: date, status_class, requests: 0 };
    days[`${date} ${status_class}`] ??= empty;
    days[`${date} ${status_class}`].requests += requests;
  }
  await db.batchInsert('panel_api_usage', Object.values(days), 50);
  await db('panel_api_usage_hours')
    .insert(hours.filter(({ hour: at }) => at > present - 24))
    .onConflict(['hour', 'status_class'])
    .merge({ requests: db.raw('panel_api_usage_hours.requests + excluded.requests') });
}
