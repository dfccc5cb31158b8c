function serialized(states) {
  const entries = Object.entries(states).map(([name, state]) => `s:${name.length}:"${name}";i:${state};`);
  return `a:${entries.length}:{${entries.join('')}}`;
}

module.exports = {
  server: [
    { server_id: 1, server_name: 'one.host.example', updated: 4, config: 'password=NEVERLEAVES-ini-1' },
    { server_id: 2, server_name: 'two.host.example', updated: 6 },
    { server_id: 3, server_name: 'mirror.host.example', updated: 1, mirror_server_id: 1 },
    { server_id: 4, server_name: 'retired.host.example', updated: 0, active: 0 },
  ],
  server_php: [{ server_php_id: 1, name: 'PHP 8.3' }],
  monitor_data: [
    {
      server_id: 1,
      type: 'services',
      created: 1767225300,
      data: serialized({ webserver: 0, ftpserver: 0, smtpserver: 0 }),
    },
    {
      server_id: 1,
      type: 'services',
      created: 1767225600,
      data: serialized({
        webserver: 1,
        ftpserver: 0,
        smtpserver: -1,
        pop3server: -1,
        imapserver: -1,
        bindserver: -1,
        mysqlserver: 1,
      }),
    },
    {
      server_id: 2,
      type: 'services',
      created: 1767225540,
      data: serialized({ webserver: -1, smtpserver: 1 }),
    },
    { server_id: 1, type: 'server_load', created: 1767225600, data: 'a:1:{s:9:"webserver";i:0;}' },
    { server_id: 4, type: 'services', created: 1767225600, data: serialized({ webserver: 0 }) },
  ],
};
