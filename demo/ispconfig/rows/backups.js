module.exports = {
  web_backup: [
    {
      backup_id: 1,
      parent_domain_id: 1,
      backup_type: 'web',
      backup_mode: 'userzip',
      tstamp: 1767232800,
      filename: 'web1_2026-01-01_02-00.zip',
      filesize: '52428800',
      backup_password: 'NEVERLEAVES-backup-2',
    },
    {
      backup_id: 2,
      parent_domain_id: 4,
      backup_type: 'mysql',
      backup_mode: 'sqlgz',
      tstamp: 1767232860,
      filename: 'db_c3bakery_2026-01-01_02-01.sql.gz',
    },
    // Its website was deleted.
    {
      backup_id: 3,
      parent_domain_id: 99,
      backup_type: 'web',
      backup_mode: 'borg',
      tstamp: 1767232920,
      filename: 'web99_2026-01-01_02-02',
      filesize: '1024',
    },
  ],
  mail_backup: [
    {
      backup_id: 1,
      parent_domain_id: 1,
      mailuser_id: 1,
      backup_mode: 'rootgz',
      tstamp: 1767232980,
      filename: 'mail1_2026-01-01_02-03.tar.gz',
      filesize: '2048',
    },
  ],
};
