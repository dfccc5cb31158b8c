const { day, hour, minute } = require('../time');

const megabyte = 2 ** 20;

// A demo has no services of its own, so these are what an agent of the panel would have written on a small server.
const services = [
  ['nginx', 'nginx', 'web', '1.26.3', 48],
  ['php8.2-fpm', 'PHP 8.2', 'php', '8.2.29', 130],
  ['php8.3-fpm', 'PHP 8.3', 'php', '8.3.23', 210],
  ['mariadb', 'MariaDB', 'database', '10.11.14', 620],
  ['redis-server', 'Redis', 'cache', '7.2.9', 24],
  ['postfix', 'Postfix', 'mail', '3.10.4', 36],
  ['dovecot', 'Dovecot', 'mail', '2.4.1', 52],
  ['rspamd', 'Rspamd', 'mail', '3.12.1', 180],
  ['named', 'BIND', 'dns', '9.20.11', 90],
  ['pure-ftpd', 'Pure-FTPd', 'ftp', '1.0.50', null],
  ['fail2ban', 'Fail2Ban', 'security', '1.1.0', 44],
  ['cron', 'cron', 'system', null, 3],
];

function columns(table) {
  table.string('id', 32).primary();
  table.string('name').notNullable();
  table.string('category', 16);
  table.string('status', 16).notNullable();
  table.boolean('enabled');
  table.string('version', 16);
  table.integer('pid');
  table.bigInteger('memory_bytes');
  table.float('cpu_percent');
  table.datetime('started_at');
  table.datetime('checked_at').notNullable();
}

function rows({ random, now, at }) {
  const booted = now - 23 * day - 5 * hour;
  return services.map(([id, name, category, version, megabytes], index) => {
    const running = megabytes !== null;
    return {
      id,
      name,
      category,
      status: running ? 'running' : 'stopped',
      enabled: running,
      version,
      pid: running ? 700 + index * 37 : null,
      memory_bytes: running ? megabytes * megabyte : null,
      cpu_percent: running ? random.integer(0, 45) / 10 : null,
      started_at: running ? at(booted + random.integer(0, 20) * day) : null,
      checked_at: at(now - minute),
    };
  });
}

module.exports = { columns, rows };
