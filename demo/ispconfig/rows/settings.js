module.exports = {
  sys_config: [
    { group: 'db', name: 'db_version', value: '3.3.1p1' },
    { group: 'interface', name: 'session_timeout', value: '30' },
    { group: 'plugin', name: 'licence', value: 'NEVERLEAVES-licence' },
  ],
};
