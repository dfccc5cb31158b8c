const tstamp = 1767225600;

// Server 1 has carried out the changes up to 4, server 2 those up to 6.
const changes = [
  { datalog_id: 1, server_id: 1, dbtable: 'web_domain', dbidx: 'domain_id:1', action: 'i', user: 'mira' },
  {
    datalog_id: 2,
    server_id: 1,
    dbtable: 'dns_soa',
    dbidx: 'id:2',
    action: 'u',
    user: 'oldmill',
    error: 'The zone has no name server.',
  },
  { datalog_id: 3, server_id: 2, dbtable: 'mail_user', dbidx: 'mailuser_id:1', action: 'u', user: '' },
  { datalog_id: 4, server_id: 0, dbtable: 'sys_ini', dbidx: 'sysini_id:1', action: 'u', user: 'admin' },
  { datalog_id: 5, server_id: 0, dbtable: 'sys_ini', dbidx: 'sysini_id:1', action: 'u', user: 'admin' },
  { datalog_id: 6, server_id: 2, dbtable: 'mail_domain', dbidx: 'domain_id:9', action: 'd', user: 'mira' },
  { datalog_id: 7, server_id: 2, dbtable: 'mail_domain', dbidx: 'domain_id:4', action: 'i', user: 'harbour' },
  // This server no longer exists.
  { datalog_id: 8, server_id: 9, dbtable: 'web_domain', dbidx: 'domain_id:8', action: 'u', user: 'admin' },
];

module.exports = {
  sys_datalog: changes.map((change) => ({
    ...change,
    tstamp: tstamp + change.datalog_id,
    data: `a:1:{s:3:"new";a:1:{s:8:"password";s:20:"NEVERLEAVES-change-${change.datalog_id}";}}`,
    session_id: 'NEVERLEAVES-session',
  })),
  sys_remoteaction: [
    { action_id: 1, server_id: 1, tstamp, action_type: 'backup_restore', action_param: '1' },
    {
      action_id: 2,
      server_id: 1,
      tstamp,
      action_type: 'os_update',
      action_param: 'NEVERLEAVES-parameter',
      action_state: 'ok',
      response: 'NEVERLEAVES-response',
    },
    {
      action_id: 3,
      server_id: 2,
      tstamp,
      action_type: 'backup_download',
      action_state: 'error',
      response: 'There is no such file.',
    },
    { action_id: 4, server_id: 2, tstamp, action_type: 'ispconfig_update', action_state: 'warning' },
  ],
};
