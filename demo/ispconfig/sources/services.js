// @ts-check

/** The names of services in ISPConfig's monitor. */
const known = /** @type {const} */ ({
  webserver: { name: 'Web server', category: 'web' },
  ftpserver: { name: 'FTP server', category: 'ftp' },
  smtpserver: { name: 'SMTP server', category: 'mail' },
  pop3server: { name: 'POP3 server', category: 'mail' },
  imapserver: { name: 'IMAP server', category: 'mail' },
  bindserver: { name: 'DNS server', category: 'dns' },
  mysqlserver: { name: 'Database server', category: 'database' },
});

/**
 * The services of all servers, as ISPConfig's monitor last saw them. systemd only knows those of the panel's own
 * server.
 *
 * @param {import('knex').Knex} db
 * @returns {import('koa-panel-api').Sources['services']}
 */
module.exports = function servicesOf(db) {
  return {
    fields: ['id', 'name', 'category', 'status', 'checked_at'],
    async rows() {
      const looks = await db('monitor_data as m')
        .join('server as s', 's.server_id', 'm.server_id')
        .where({ 'm.type': 'services', 's.active': 1 })
        .orderBy('m.created')
        .select('m.server_id', 's.server_name', 'm.created', 'm.data');
      const newest = new Map(looks.map((look) => [look.server_id, look]));
      return [...newest.values()].flatMap(servicesIn);
    },
  };
};

/** @param {{ server_id: number, server_name: string, created: number, data: string | null }} look */
function servicesIn({ server_id, server_name, created, data }) {
  const states = readStates(data ?? '');
  return Object.entries(known).flatMap(([key, { name, category }]) => {
    const state = states.get(key);
    // -1 if the server does not have the service.
    if (state !== 0 && state !== 1) return [];
    return {
      id: `${server_id}-${key}`,
      name: `${name} on ${server_name}`,
      category,
      status: state === 1 ? 'running' : 'stopped',
      checked_at: new Date(created * 1000).toISOString(),
    };
  });
}

/**
 * Whole numbers by name, as PHP's serialize writes them: `a:2:{s:9:"webserver";i:1;s:9:"ftpserver";i:-1;}`.
 *
 * @param {string} serialized
 */
function readStates(serialized) {
  const entries = serialized.matchAll(/s:\d+:"(\w+)";i:(-?\d+);/g);
  return new Map([...entries].map(([, key, value]) => [key, Number(value)]));
}
