module.exports = {
  web_database: [
    {
      database_id: 1,
      sys_groupid: 3,
      server_id: 1,
      parent_domain_id: 1,
      database_name: 'c2shop',
      database_quota: 500,
      database_user_id: 1,
      database_ro_user_id: 2,
      database_charset: 'utf8mb4',
      remote_access: 'n',
    },
    {
      database_id: 2,
      sys_groupid: 4,
      server_id: 2,
      parent_domain_id: 4,
      database_name: 'c3bakery',
      database_charset: '',
      active: 'n',
    },
    {
      database_id: 3,
      sys_groupid: 1,
      server_id: 1,
      type: 'mongo',
      database_name: 'events',
      database_quota: -1,
      database_user_id: 3,
    },
  ],
  web_database_user: [
    { database_user_id: 1, database_user: 'c2shop', database_password: 'NEVERLEAVES-db-1' },
    { database_user_id: 2, database_user: 'c2shop_read', database_password: 'NEVERLEAVES-db-2' },
    { database_user_id: 3, database_user: 'events', database_password: 'NEVERLEAVES-db-3' },
  ],
};
