export const SERVICE_CATEGORIES = [
  'web',
  'php',
  'database',
  'mail',
  'dns',
  'ftp',
  'cache',
  'security',
  'system',
  'panel',
] as const;

type Row = readonly [category: (typeof SERVICE_CATEGORIES)[number], name: string, units: string];

const PHP_VERSIONS = ['7.4', '8.0', '8.1', '8.2', '8.3', '8.4', '8.5'];

/** Services, and the units that they have: distributions use different names for the same service. */
const SERVICES: readonly Row[] = [
  ['web', 'nginx', 'nginx'],
  ['web', 'Apache', 'apache2 httpd'],
  ['web', 'Caddy', 'caddy'],
  ['web', 'lighttpd', 'lighttpd'],
  ['web', 'LiteSpeed', 'lsws'],
  ['web', 'OpenLiteSpeed', 'lshttpd openlitespeed'],
  ['web', 'HAProxy', 'haproxy'],
  ['php', 'PHP-FPM', 'php-fpm'],
  ...PHP_VERSIONS.map((version): Row => ['php', `PHP-FPM ${version}`, `php${version}-fpm`]),
  ['database', 'MariaDB', 'mariadb'],
  ['database', 'MySQL', 'mysql mysqld'],
  ['database', 'PostgreSQL', 'postgresql'],
  ['database', 'MongoDB', 'mongod'],
  ['mail', 'Postfix', 'postfix'],
  ['mail', 'Exim', 'exim4 exim'],
  ['mail', 'Dovecot', 'dovecot'],
  ['mail', 'Rspamd', 'rspamd'],
  ['mail', 'SpamAssassin', 'spamassassin spamd'],
  ['mail', 'OpenDKIM', 'opendkim'],
  ['dns', 'BIND', 'named bind9'],
  ['dns', 'PowerDNS', 'pdns'],
  ['ftp', 'ProFTPD', 'proftpd'],
  ['ftp', 'Pure-FTPd', 'pure-ftpd'],
  ['ftp', 'vsftpd', 'vsftpd'],
  ['cache', 'Redis', 'redis-server redis'],
  ['cache', 'Valkey', 'valkey'],
  ['cache', 'memcached', 'memcached'],
  ['cache', 'Varnish', 'varnish'],
  ['security', 'Fail2ban', 'fail2ban'],
  ['security', 'ClamAV', 'clamav-daemon'],
  ['security', 'nftables', 'nftables'],
  ['security', 'UFW', 'ufw'],
  ['security', 'firewalld', 'firewalld'],
  ['security', 'CrowdSec', 'crowdsec'],
  ['system', 'cron', 'cron crond'],
  ['system', 'SSH', 'ssh sshd'],
  ['system', 'chrony', 'chrony chronyd'],
  ['system', 'Time synchronisation', 'systemd-timesyncd'],
  ['system', 'rsyslog', 'rsyslog'],
  ['system', 'Docker', 'docker'],
];

/**
 * The usual units of hosting servers, for panels that name none. Distributions keep other names as aliases (`mysql` for
 * mariadb, `sshd` for ssh): list those whose status is not `not_installed`, each `UnitState.unit` once.
 */
export const commonSystemdUnits = SERVICES.flatMap(([category, name, units]) =>
  units.split(' ').map((unit) => ({ unit, name, category })),
);
