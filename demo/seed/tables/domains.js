const { domainNames } = require('../names');
const { day } = require('../time');

const subdomains = ['blog', 'shop', 'staging', 'cloud', 'wiki', 'api', 'status'];

function columns(table) {
  table.increments('id');
  table.string('domain').notNullable().unique();
  table.string('type', 16).notNullable();
  table.string('ssl_status', 16).notNullable();
  table.string('status', 16).notNullable();
  table.integer('account_id').references('accounts.id');
  table.integer('parent_id').references('domains.id');
  table.integer('website_id').references('websites.id');
  table.boolean('dns_managed');
  table.boolean('dnssec_enabled');
  table.boolean('mail_enabled');
  table.datetime('registration_expires_at');
  table.datetime('created_at');
  table.datetime('updated_at');
  table.string('registrar_auth_code');
  table.text('dnssec_private_key');
}

// The seeds of certificates and websites fill in their own columns.
function rows({ random, now, at, accounts }) {
  const taken = new Set(accounts.map((account) => account.primary_domain));
  const free = domainNames(random).filter((domain) => !taken.has(domain));
  const all = [];

  function add(account, domain, type, parent) {
    const registered = type !== 'subdomain';
    const dnssec = registered && random.chance(0.3);
    const earliest = (parent ?? account).created_at.getTime();
    const created = earliest + random.fraction() * (now - earliest);
    all.push({
      id: all.length + 1,
      domain,
      type,
      ssl_status: 'none',
      status: account.status,
      account_id: account.id,
      parent_id: parent ? parent.id : null,
      website_id: null,
      dns_managed: random.chance(0.85),
      dnssec_enabled: dnssec,
      mail_enabled: registered && random.chance(0.8),
      registration_expires_at: registered ? at(now + random.integer(3, 700) * day) : null,
      created_at: at(type === 'primary' ? earliest : created),
      updated_at: at(created + random.fraction() * (now - created)),
      registrar_auth_code: registered ? random.secret() : null,
      dnssec_private_key: dnssec ? random.secret() : null,
    });
    return all.at(-1);
  }

  const primaries = accounts.map((account) => add(account, account.primary_domain, 'primary', null));
  for (const account of accounts) {
    if (account.status === 'pending') continue;
    const primary = primaries[account.id - 1];
    if (random.chance(0.45)) add(account, free.pop(), 'addon', null);
    if (random.chance(0.15)) add(account, free.pop(), 'addon', null);
    for (const label of random.shuffle(subdomains).slice(0, random.pick([0, 0, 1, 1, 2]))) {
      add(account, `${label}.${primary.domain}`, 'subdomain', primary);
    }
    if (random.chance(0.25)) add(account, primary.domain.replace(/\.\w+$/, '.example.com'), 'alias', primary);
  }
  return all;
}

module.exports = { columns, rows };
