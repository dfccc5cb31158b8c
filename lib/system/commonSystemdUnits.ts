/** The purposes of services. */
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

interface CommonUnit {
  unit: string;
  name: string;
  category: (typeof SERVICE_CATEGORIES)[number];
}

/**
 * The usual units of hosting servers, for panels that name none. Distributions use different names for the same service
 * and keep the others as aliases (`mysql` for mariadb, `sshd` for ssh): list those whose status is not `not_installed`,
 * each `UnitState.unit` once.
 */
export const commonSystemdUnits: readonly CommonUnit[] = [
  { unit: 'nginx', name: 'nginx', category: 'web' },
  { unit: 'apache2', name: 'Apache', category: 'web' },
  { unit: 'httpd', name: 'Apache', category: 'web' },
  { unit: 'caddy', name: 'Caddy', category: 'web' },
  { unit: 'lighttpd', name: 'lighttpd', category: 'web' },
  { unit: 'lsws', name: 'LiteSpeed', category: 'web' },
  { unit: 'lshttpd', name: 'OpenLiteSpeed', category: 'web' },
  { unit: 'openlitespeed', name: 'OpenLiteSpeed', category: 'web' },
  { unit: 'haproxy', name: 'HAProxy', category: 'web' },
  { unit: 'php-fpm', name: 'PHP-FPM', category: 'php' },
  { unit: 'php7.4-fpm', name: 'PHP-FPM 7.4', category: 'php' },
  { unit: 'php8.0-fpm', name: 'PHP-FPM 8.0', category: 'php' },
  { unit: 'php8.1-fpm', name: 'PHP-FPM 8.1', category: 'php' },
  { unit: 'php8.2-fpm', name: 'PHP-FPM 8.2', category: 'php' },
  { unit: 'php8.3-fpm', name: 'PHP-FPM 8.3', category: 'php' },
  { unit: 'php8.4-fpm', name: 'PHP-FPM 8.4', category: 'php' },
  { unit: 'php8.5-fpm', name: 'PHP-FPM 8.5', category: 'php' },
  { unit: 'mariadb', name: 'MariaDB', category: 'database' },
  { unit: 'mysql', name: 'MySQL', category: 'database' },
  { unit: 'mysqld', name: 'MySQL', category: 'database' },
  { unit: 'postgresql', name: 'PostgreSQL', category: 'database' },
  { unit: 'mongod', name: 'MongoDB', category: 'database' },
  { unit: 'postfix', name: 'Postfix', category: 'mail' },
  { unit: 'exim4', name: 'Exim', category: 'mail' },
  { unit: 'exim', name: 'Exim', category: 'mail' },
  { unit: 'dovecot', name: 'Dovecot', category: 'mail' },
  { unit: 'rspamd', name: 'Rspamd', category: 'mail' },
  { unit: 'spamassassin', name: 'SpamAssassin', category: 'mail' },
  { unit: 'spamd', name: 'SpamAssassin', category: 'mail' },
  { unit: 'opendkim', name: 'OpenDKIM', category: 'mail' },
  { unit: 'named', name: 'BIND', category: 'dns' },
  { unit: 'bind9', name: 'BIND', category: 'dns' },
  { unit: 'pdns', name: 'PowerDNS', category: 'dns' },
  { unit: 'proftpd', name: 'ProFTPD', category: 'ftp' },
  { unit: 'pure-ftpd', name: 'Pure-FTPd', category: 'ftp' },
  { unit: 'vsftpd', name: 'vsftpd', category: 'ftp' },
  { unit: 'redis-server', name: 'Redis', category: 'cache' },
  { unit: 'redis', name: 'Redis', category: 'cache' },
  { unit: 'valkey', name: 'Valkey', category: 'cache' },
  { unit: 'memcached', name: 'memcached', category: 'cache' },
  { unit: 'varnish', name: 'Varnish', category: 'cache' },
  { unit: 'fail2ban', name: 'Fail2ban', category: 'security' },
  { unit: 'clamav-daemon', name: 'ClamAV', category: 'security' },
  { unit: 'nftables', name: 'nftables', category: 'security' },
  { unit: 'ufw', name: 'UFW', category: 'security' },
  { unit: 'firewalld', name: 'firewalld', category: 'security' },
  { unit: 'crowdsec', name: 'CrowdSec', category: 'security' },
  { unit: 'cron', name: 'cron', category: 'system' },
  { unit: 'crond', name: 'cron', category: 'system' },
  { unit: 'ssh', name: 'SSH', category: 'system' },
  { unit: 'sshd', name: 'SSH', category: 'system' },
  { unit: 'chrony', name: 'chrony', category: 'system' },
  { unit: 'chronyd', name: 'chrony', category: 'system' },
  { unit: 'systemd-timesyncd', name: 'Time synchronisation', category: 'system' },
  { unit: 'rsyslog', name: 'rsyslog', category: 'system' },
  { unit: 'docker', name: 'Docker', category: 'system' },
];
