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
 * use are written into the module's tables, which a real panel must never do. Their plain tokens are thrown away.
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

async function addUse(db, { id, scopes }, hourly, random) {
  const today = Math.floor(Date.now() / day);
  const endpoint = scopes.map((scope) => endpoints[scope]).find(Boolean);
  const counts = Array.from({ length: 30 }, (_, age) => [
    { status_class: 2, requests: hourly * 24 + random.integer(0, 20), day: today - age },
    { status_class: 4, requests: random.weighted({ 0: 8, 1: 3, 7: 1 }), day: today - age },
  ]).flat();
  const rows = counts.filter(({ requests }) => Number(requests) > 0);
  await db.batchInsert(
    'panel_api_usage',
    rows.map((row) => ({ token_id: id, endpoint, ...row })),
    50,
  );
  const present = Math.floor(Date.now() / hour);
  for (let age = 0; age < 24; age += 1) {
    await db('panel_api_usage_hours')
      .insert({ hour: present - age, status_class: 2, requests: hourly })
      .onConflict(['hour', 'status_class'])
      .merge({ requests: db.raw('requests + ?', [hourly]) });
  }
}
