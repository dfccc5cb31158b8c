const { domainNames, firstNames } = require('../names');
const { day, hour } = require('../time');

const gigabyte = 2 ** 30;
const plans = {
  starter: { disk: 10 * gigabyte, bandwidth: 100 * gigabyte, websites: 5, mailboxes: 20, inodes: 200_000 },
  business: {
    disk: 50 * gigabyte,
    bandwidth: 500 * gigabyte,
    websites: 50,
    mailboxes: 500,
    inodes: 2_000_000,
  },
  unlimited: { disk: null, bandwidth: null, websites: null, mailboxes: null, inodes: null },
};
// In days. An account is younger than the one that it belongs to.
const ages = { customer: [30, 1500], reseller: [1600, 2400], admin: [2500, 2500] };
const suspendReasons = ['invoice overdue', 'abuse report', 'requested by the customer'];

function columns(table) {
  table.increments('id');
  table.string('username', 32).notNullable().unique();
  table.string('email');
  table.string('name');
  table.string('role', 16).notNullable();
  table.string('status', 16).notNullable();
  table.string('suspend_reason');
  table.integer('owner_id').references('accounts.id');
  table.string('plan', 32);
  table.string('primary_domain');
  table.bigInteger('disk_used_bytes');
  table.bigInteger('disk_limit_bytes');
  table.bigInteger('bandwidth_used_bytes');
  table.bigInteger('bandwidth_limit_bytes');
  table.json('ip_addresses');
  table.json('nameservers');
  for (const counted of ['website', 'domain', 'mailbox', 'database', 'inode']) {
    table.integer(`${counted}_count`);
    table.integer(`${counted}_limit`);
  }
  table.boolean('two_factor_enabled');
  table.datetime('last_login_at');
  table.datetime('created_at');
  table.datetime('updated_at');
  table.string('password_hash');
  table.string('totp_secret');
  table.text('recovery_codes');
  table.string('password_reset_token');
}

function roleOf(id) {
  if (id === 1) return 'admin';
  return id <= 5 ? 'reseller' : 'customer';
}

function usernameOf(id, role, domain) {
  if (role === 'admin') return 'admin';
  if (role === 'reseller') return `reseller${id - 1}`;
  return /^[a-z-]+\./.test(domain) ? domain.split('.')[0].replace('-', '_') : `customer${id}`;
}

function rows({ random, now, at }) {
  const domains = domainNames(random);

  return Array.from({ length: 60 }, (_, index) => {
    const id = index + 1;
    const role = roleOf(id);
    const domain = role === 'admin' ? 'example.org' : domains[index];
    const status = role === 'customer' ? random.weighted({ active: 48, suspended: 4, pending: 3 }) : 'active';
    const plan = role === 'customer' ? random.weighted({ starter: 5, business: 3, unlimited: 1 }) : null;
    const twoFactor = role === 'admin' || random.chance(0.3);
    const created = now - random.integer(...ages[role]) * day;
    const login = status === 'pending' ? null : now - random.integer(1, 600) * hour;

    return {
      id,
      username: usernameOf(id, role, domain),
      email: `owner@${domain}`,
      name: role === 'admin' ? 'Administrator' : random.pick(firstNames),
      role,
      status,
      suspend_reason: status === 'suspended' ? random.pick(suspendReasons) : null,
      owner_id: role === 'customer' ? random.pick([1, 1, 2, 3, 4, 5]) : role === 'reseller' ? 1 : null,
      plan,
      primary_domain: domain,
      disk_limit_bytes: plan && plans[plan].disk,
      bandwidth_limit_bytes: plan && plans[plan].bandwidth,
      ip_addresses: ['192.0.2.10', '2001:db8::10'],
      nameservers: ['ns1.panel.example', 'ns2.panel.example'],
      inode_count: random.integer(200, 90_000),
      website_limit: plan && plans[plan].websites,
      domain_limit: plan && plans[plan].websites,
      mailbox_limit: plan && plans[plan].mailboxes,
      database_limit: plan && plans[plan].websites,
      inode_limit: plan && plans[plan].inodes,
      two_factor_enabled: twoFactor,
      last_login_at: login && at(login),
      created_at: at(created),
      updated_at: at(login ?? created),
      password_hash: `$2b$12$${random.secret()}`,
      totp_secret: twoFactor ? random.secret() : null,
      recovery_codes: twoFactor ? [random.secret(), random.secret()] : null,
      password_reset_token: random.chance(0.1) ? random.secret() : null,
    };
  });
}

module.exports = { columns, rows };
