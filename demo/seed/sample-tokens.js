const addUse = require('./add-use');
const inPast = require('./past');
const createRandom = require('./random');
const sampleCustomer = require('./sample-customer');

const DAY = 86_400;

const root = { actor: 'root', origin: 'cli' };
const admin = { actor: 'admin', origin: 'api-section', address: '192.0.2.5' };

/**
 * Creates sample tokens at the first start, so that the API section looks as it does after months. They are of the
 * programs that a panel usually serves; their plain tokens are thrown away.
 */
module.exports = async function sampleTokens(db, api) {
  if ((await api.tokens.list()).length > 0) return;
  const random = createRandom(15);
  const ago = (days, act) => inPast(db, Math.round(days * DAY), act);
  const create = async (days, author, { expiresInDays, ...request }) => {
    const expiry = expiresInDays ? { expiresInSeconds: expiresInDays * DAY } : { expiresAt: null };
    const { record } = await ago(days, () => api.tokens.create({ ...request, ...expiry }, author));
    return record.id;
  };
  const customer = await sampleCustomer(db);

  // The oldest first, in the order of the audit trail.
  await ago(150.4, () => api.settings.enable(root));
  const dashboard = await create(150.3, root, { name: 'Old dashboard', scopes: ['*'] });
  const monitoring = await create(120.1, admin, {
    name: 'Monitoring',
    note: 'Asks every five minutes. The operators on duty look after it.',
    scopes: ['platform.read', 'services.read', 'ssl.read', 'jobs.read'],
    allowedAddresses: ['192.0.2.40'],
    expiresInDays: 365,
  });
  const billing = await create(90.2, admin, {
    name: 'Billing',
    scopes: ['profile.read', 'accounts.read', 'domains.read'],
    expiresInDays: 180,
  });
  const exporting = await create(70.2, admin, {
    name: 'Nightly export',
    note: 'Copies domains and mailboxes to the warehouse every night.',
    scopes: ['domains.read', 'email.read'],
    expiresInDays: 365,
  });
  const portal = await create(60.3, admin, {
    name: `Website of ${customer.username}`,
    note: 'The customer shows the state of the websites to the staff.',
    scopes: ['websites.read', 'ssl.read', 'backups.read'],
    accountId: customer.id,
    expiresInDays: 66,
  });
  const backups = await create(45.1, admin, {
    name: 'Backup report',
    scopes: ['backups.read', 'jobs.read'],
    rateLimit: 30,
    expiresInDays: 60,
  });
  const move = await create(30.4, root, {
    name: 'Move to the new server',
    note: 'Only for the move.',
    scopes: ['accounts.read', 'databases.read', 'email.read'],
    allowedAddresses: ['198.51.100.0/24', '2001:db8:100::/48'],
    expiresInDays: 21,
  });
  const agency = await create(25.2, admin, {
    name: 'Agency',
    scopes: ['domains.read', 'websites.read'],
    expiresInDays: 90,
  });
  const customerScopes = ['domains.read', 'websites.read', 'ssl.read', 'backups.read'];
  await ago(22.4, () => api.settings.change({ customerScopes, administratorsTokens: 'named' }, admin));
  const { username: actor, id: accountId } = customer;
  const script = await create(
    21.2,
    { actor, origin: 'account-section', accountId, address: '203.0.113.24' },
    { name: 'Certificate watch', scopes: ['ssl.read'], expiresInDays: 90 },
  );
  const rotation = { graceSeconds: 2 * DAY, expiresInSeconds: 180 * DAY };
  const { record: renewed } = await ago(20.3, () => api.tokens.rotate(billing, rotation, admin));
  const both = { allowedAddresses: ['192.0.2.40', '2001:db8:40::/64'] };
  await ago(12.2, () => api.tokens.update(monitoring, both, admin));
  await ago(10.1, () => api.tokens.revoke(agency, admin));
  await ago(5.3, () => api.tokens.extend(backups, { expiresInSeconds: 185 * DAY }, admin));

  const refused = [];
  const use = async (id, hourly, period) =>
    refused.push(...(await addUse(db, random, { id, hourly, ...period })));
  await use(dashboard, {}, { until: 100.6, address: '203.0.113.9' });
  await use(monitoring, { health: 12, services: 12, jobs: 12, ssl: 1 }, { address: '192.0.2.40' });
  await use(billing, { accounts: 1, domains: 3 }, { until: 19.1, address: '203.0.113.80' });
  await use(renewed.id, { me: 1, accounts: 1, domains: 3 }, { since: 19.1, address: '203.0.113.80' });
  await use(portal, { websites: 2, ssl: 1, backups: 1 }, { address: '203.0.113.24' });
  await use(script, { ssl: 1 }, { since: 21, address: '203.0.113.24' });
  // Its integration stopped without a word.
  await use(exporting, { domains: 1, email: 1 }, { until: 6.3, address: '203.0.113.82' });
  await use(backups, { backups: 1, jobs: 1 }, { since: 45, address: '203.0.113.81' });
  await use(
    move,
    { accounts: 4, databases: 6, email: 6 },
    { since: 30, until: 9.6, address: '198.51.100.7' },
  );
  await use(agency, { domains: 2, websites: 2 }, { since: 25.1, until: 10.2, address: '203.0.113.150' });
  await db.batchInsert(
    'panel_api_refusals',
    refused.toSorted((one, other) => one.at - other.at),
    50,
  );
};
