const { day } = require('../time');

const megabyte = 2 ** 20;
const apps = {
  wordpress: { runtime: 'php', version: ['8.2', '8.3', '8.4'], server: 'nginx', weight: 8 },
  nextcloud: { runtime: 'php', version: ['8.3'], server: 'apache', weight: 2 },
  ghost: { runtime: 'node', version: ['20', '22'], server: 'nginx', weight: 1 },
  express: { runtime: 'node', version: ['20', '22', '24'], server: 'nginx', weight: 1 },
  django: { runtime: 'python', version: ['3.11', '3.13'], server: 'nginx', weight: 1 },
  redmine: { runtime: 'ruby', version: ['3.3'], server: 'apache', weight: 1 },
  gitea: { runtime: 'container', version: ['1.24'], server: 'nginx', weight: 1 },
  none: { runtime: 'static', version: [null], server: 'nginx', weight: 3 },
  forward: { runtime: 'proxy', version: [null], server: 'nginx', weight: 1 },
};
const weights = Object.fromEntries(Object.entries(apps).map(([name, app]) => [name, app.weight]));

function columns(table) {
  table.increments('id');
  table.string('domain').notNullable().unique();
  table.integer('account_id').references('accounts.id');
  table.json('aliases');
  table.string('status', 16).notNullable();
  table.string('runtime', 16);
  table.string('runtime_version', 16);
  table.string('web_server', 16);
  table.string('document_root');
  table.json('ip_addresses');
  table.boolean('ssl_enabled');
  table.boolean('force_https');
  table.bigInteger('disk_used_bytes');
  table.bigInteger('bandwidth_used_bytes');
  table.string('system_user', 32);
  table.string('app', 32);
  table.datetime('created_at');
  table.datetime('updated_at');
  table.text('environment');
  table.string('ftp_password');
}

function rows({ random, now, at, accounts, domains }) {
  const all = [];
  const hosts = domains.filter(({ type }) => type === 'primary' || (type !== 'alias' && random.chance(0.85)));

  for (const host of hosts) {
    const account = accounts[host.account_id - 1];
    const name = random.weighted(weights);
    const app = apps[name];
    const aliases = domains.filter(({ type, parent_id }) => type === 'alias' && parent_id === host.id);
    const id = all.length + 1;
    for (const domain of [host, ...aliases]) domain.website_id = id;

    all.push({
      id,
      domain: host.domain,
      account_id: account.id,
      aliases: [
        ...(host.type === 'subdomain' ? [] : [`www.${host.domain}`]),
        ...aliases.map((alias) => alias.domain),
      ],
      status:
        account.status === 'suspended'
          ? 'suspended'
          : random.weighted({ active: 40, stopped: 3, deploying: 1, error: 1 }),
      runtime: app.runtime,
      runtime_version: random.pick(app.version),
      web_server: app.server,
      document_root: app.runtime === 'proxy' ? null : `/home/${account.username}/${host.domain}/public`,
      ip_addresses: [
        `192.0.2.${random.integer(10, 40)}`,
        ...(random.chance(0.7) ? [`2001:db8::${id.toString(16)}`] : []),
      ],
      ssl_enabled: false,
      force_https: false,
      disk_used_bytes: random.integer(5, 1500) * megabyte + random.integer(0, megabyte),
      bandwidth_used_bytes: random.integer(1, 30000) * megabyte,
      system_user: account.username,
      app: name === 'none' || name === 'forward' ? null : name,
      created_at: host.created_at,
      updated_at: at(Math.max(host.created_at.getTime(), now - random.integer(0, 90) * day)),
      environment: random.chance(0.4)
        ? `DATABASE_PASSWORD=${random.secret()}\nMAIL_TOKEN=${random.secret()}`
        : null,
      ftp_password: random.secret(),
    });
  }
  return all;
}

module.exports = { columns, rows };
