const { firstNames } = require('../names');
const { day, hour } = require('../time');

const megabyte = 2 ** 20;
const roles = ['info', 'office', 'sales', 'support', 'billing', 'jobs'];
const people = firstNames.map((name) => name.toLowerCase()).filter((name) => /^[a-z]+$/.test(name));

function columns(table) {
  table.increments('id');
  table.string('address').notNullable().unique();
  table.string('domain');
  table.integer('account_id').references('accounts.id');
  table.string('type', 16).notNullable();
  table.string('status', 16).notNullable();
  table.bigInteger('quota_bytes');
  table.bigInteger('used_bytes');
  table.json('forward_to');
  table.boolean('keep_copy');
  table.boolean('autoresponder_enabled');
  table.integer('send_limit_per_day');
  table.datetime('last_login_at');
  table.datetime('created_at');
  table.datetime('updated_at');
  table.string('password_hash');
}

function rows({ random, now, at, accounts, domains }) {
  const all = [];

  function add(host, local, type) {
    const mailbox = type === 'mailbox';
    const quota = random.pick([1024, 2048, 5120, null]);
    const earliest = host.created_at.getTime();
    const created = earliest + random.fraction() * (now - earliest);
    const login =
      mailbox && random.chance(0.9) ? Math.max(created, now - random.integer(0, 300) * hour) : null;
    const target = type === 'forwarder' ? `${random.pick(people)}@example.net` : `info@${host.domain}`;

    all.push({
      id: all.length + 1,
      address: `${local}@${host.domain}`,
      domain: host.domain,
      account_id: host.account_id,
      type,
      status:
        accounts[host.account_id - 1].status === 'suspended' || random.chance(0.02) ? 'suspended' : 'active',
      quota_bytes: mailbox && quota ? quota * megabyte : null,
      used_bytes: mailbox ? Math.floor(random.fraction() * (quota ?? 3072) * megabyte) : null,
      forward_to: mailbox ? null : type === 'list' ? [target, `office@${host.domain}`] : [target],
      keep_copy: mailbox ? null : random.chance(0.3),
      autoresponder_enabled: mailbox ? random.chance(0.1) : null,
      send_limit_per_day: mailbox ? random.pick([200, 500, null]) : null,
      last_login_at: login && at(login),
      created_at: at(created),
      updated_at: at(Math.max(created, now - random.integer(0, 200) * day)),
      password_hash: mailbox ? `{BLF-CRYPT}$2y$05$${random.secret()}` : null,
    });
  }

  for (const host of domains.filter((domain) => domain.mail_enabled)) {
    add(host, 'info', 'mailbox');
    for (const name of random.shuffle(people).slice(0, random.integer(0, 2))) add(host, name, 'mailbox');
    if (random.chance(0.5)) add(host, random.pick(roles.slice(1)), 'forwarder');
    if (random.chance(0.25)) add(host, 'hello', 'alias');
    if (random.chance(0.08)) add(host, '', 'catchall');
    if (random.chance(0.04)) add(host, 'team', 'list');
  }
  return all;
}

module.exports = { columns, rows };
