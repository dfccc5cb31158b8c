const { day } = require('../time');

const megabyte = 2 ** 20;
const engines = {
  mariadb: { version: '10.11.14', port: 3306, charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' },
  mysql: { version: '8.4.6', port: 3306, charset: 'utf8mb4', collation: 'utf8mb4_0900_ai_ci' },
  postgresql: { version: '15.14', port: 5432, charset: 'UTF8', collation: 'C.UTF-8' },
  mongodb: { version: '8.0', port: 27017, charset: null, collation: null },
  redis: { version: '7.0.15', port: 6379, charset: null, collation: null },
};
const usual = {
  wordpress: { mariadb: 5, mysql: 1 },
  nextcloud: { mariadb: 2, postgresql: 1 },
  ghost: { mysql: 1 },
  express: { mongodb: 1, redis: 1, postgresql: 1 },
  django: { postgresql: 1 },
  redmine: { mariadb: 1 },
  gitea: { postgresql: 1 },
};

function columns(table) {
  table.increments('id');
  table.string('name', 64).notNullable();
  table.string('engine', 16).notNullable();
  table.string('engine_version', 16);
  table.integer('account_id').references('accounts.id');
  table.integer('website_id').references('websites.id');
  table.string('status', 16);
  table.string('host');
  table.integer('port');
  table.string('charset', 32);
  table.string('collation', 64);
  table.bigInteger('size_bytes');
  table.bigInteger('size_limit_bytes');
  table.integer('table_count');
  table.json('users');
  table.boolean('remote_access');
  table.datetime('created_at');
  table.datetime('updated_at');
  table.string('password');
  table.string('connection_string');
}

function rows({ random, now, at, websites }) {
  const all = [];

  function add(website, suffix) {
    const engine = random.weighted(usual[website.app] ?? { mariadb: 1 });
    const { version, port, charset, collation } = engines[engine];
    const id = all.length + 1;
    const name = `${website.system_user}_${suffix}${id}`;
    const password = random.secret();
    const earliest = website.created_at.getTime();
    const created = earliest + random.fraction() * (now - earliest);

    all.push({
      id,
      name,
      engine,
      engine_version: version,
      account_id: website.account_id,
      website_id: website.id,
      status: website.status === 'suspended' ? 'suspended' : 'active',
      host: '127.0.0.1',
      port,
      charset,
      collation,
      size_bytes: random.integer(1, 900) * megabyte + random.integer(0, megabyte),
      size_limit_bytes: random.pick([1024 * megabyte, 5120 * megabyte, null]),
      table_count: charset ? random.integer(8, 180) : null,
      users: random.chance(0.2) ? [name, `${name}_ro`] : [name],
      remote_access: random.chance(0.1),
      created_at: at(created),
      updated_at: at(Math.max(created, now - random.integer(0, 60) * day)),
      password,
      connection_string: `${engine}://${name}:${password}@127.0.0.1:${port}/${name}`,
    });
  }

  for (const website of websites) {
    if (website.app && random.chance(0.85)) add(website, website.app.slice(0, 3));
    if (random.chance(0.1)) add(website, 'test');
  }
  return all;
}

module.exports = { columns, rows };
