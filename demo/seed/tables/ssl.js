const { day, hour } = require('../time');

// The range in which a certificate with that status expires, in days from now. An order without a certificate has none.
const endsInDays = {
  valid: [31, 89],
  expiring: [1, 14],
  expired: [-60, -1],
  revoked: [5, 60],
  pending: null,
  failed: null,
};
const domainStatus = { valid: 'active', expiring: 'expiring', expired: 'expired', pending: 'pending' };
const errors = [
  'DNS problem: NXDOMAIN looking up A for the name',
  'Timeout during connect (likely firewall problem)',
  'CAA record forbids issuance',
];

// Without the days left: a stored number would be wrong tomorrow, and the API computes them.
function columns(table) {
  table.increments('id');
  table.string('common_name').notNullable();
  table.json('sans');
  table.integer('account_id').references('accounts.id');
  table.integer('website_id').references('websites.id');
  table.string('type', 16);
  table.string('issuer');
  table.string('status', 16).notNullable();
  table.datetime('issued_at');
  table.datetime('expires_at');
  table.boolean('auto_renew');
  table.datetime('last_renewal_at');
  table.string('last_error');
  table.string('key_type', 16);
  table.string('fingerprint_sha256', 64);
  table.datetime('created_at');
  table.datetime('updated_at');
  table.text('private_key');
  table.text('acme_account_key');
}

function rows({ random, now, at, domains, websites }) {
  const all = [];

  function add(domain, status) {
    const website = websites[domain.website_id - 1];
    const type = random.weighted({ acme: 20, custom: 2, self_signed: 1 });
    const range = endsInDays[status];
    const expires = range && now + random.integer(...range) * day + random.integer(1, 23) * hour;
    // A certificate is younger than its domain.
    const earliest = domain.created_at.getTime();
    if (range && expires <= earliest) return;
    const issued = range && Math.max(expires - 90 * day, earliest);
    const renewed = issued && type === 'acme' && random.chance(0.8);
    const touched = issued ?? Math.max(now - random.integer(1, 72) * hour, earliest);

    all.push({
      id: all.length + 1,
      common_name: domain.domain,
      sans: [domain.domain, ...(domain.type === 'subdomain' ? [] : [`www.${domain.domain}`])],
      account_id: domain.account_id,
      website_id: website ? website.id : null,
      type,
      issuer: range
        ? type === 'self_signed'
          ? domain.domain
          : `Example CA ${random.pick(['E1', 'R3'])}`
        : null,
      status,
      issued_at: issued && at(issued),
      expires_at: expires && at(expires),
      auto_renew: type === 'acme',
      last_renewal_at: renewed ? at(issued) : null,
      last_error:
        status === 'failed' || (status === 'expired' && type === 'acme') ? random.pick(errors) : null,
      key_type: random.pick(['ecdsa-p256', 'rsa-2048']),
      fingerprint_sha256: range ? random.hex(64) : null,
      created_at: at(renewed ? Math.max(issued - random.integer(1, 4) * 60 * day, earliest) : touched),
      updated_at: at(touched),
      private_key: `-----BEGIN DEMO KEY-----\n${random.secret()}\n-----END DEMO KEY-----`,
      acme_account_key: type === 'acme' ? random.secret() : null,
    });

    domain.ssl_status = domainStatus[status] ?? domain.ssl_status;
    if (website && (status === 'valid' || status === 'expiring')) {
      website.ssl_enabled = true;
      website.force_https = random.chance(0.9);
    }
  }

  for (const domain of domains) {
    if (random.chance(0.1)) add(domain, 'revoked');
    if (random.chance(0.9)) {
      add(domain, random.weighted({ valid: 75, expiring: 8, expired: 5, pending: 4, failed: 5 }));
    }
  }
  return all;
}

module.exports = { columns, rows };
