-- The part of ISPConfig 3.3's schema that the sources read, with some of the secrets that stand beside it.
-- Column types and keys are ISPConfig's own.

CREATE TABLE client (
  client_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  company_name varchar(64),
  contact_firstname varchar(64) NOT NULL DEFAULT '',
  contact_name varchar(64),
  email varchar(255),
  parent_client_id int(11) unsigned NOT NULL DEFAULT 0,
  username varchar(64),
  password varchar(200),
  id_rsa text,
  template_master int(11) unsigned NOT NULL DEFAULT 0,
  limit_client int(11) NOT NULL DEFAULT 0,
  limit_web_quota int(11) NOT NULL DEFAULT -1,
  limit_traffic_quota int(11) NOT NULL DEFAULT -1,
  limit_web_domain int(11) NOT NULL DEFAULT -1,
  limit_mailbox int(11) NOT NULL DEFAULT -1,
  limit_database int(11) NOT NULL DEFAULT -1,
  created_at bigint(20),
  locked enum('n','y') NOT NULL DEFAULT 'n',
  canceled enum('n','y') NOT NULL DEFAULT 'n'
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE client_template (
  template_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  template_name varchar(64) NOT NULL DEFAULT ''
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE sys_user (
  userid int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username varchar(64) NOT NULL DEFAULT '',
  passwort varchar(200) NOT NULL DEFAULT '',
  typ varchar(16) NOT NULL DEFAULT 'user',
  active tinyint(1) NOT NULL DEFAULT 1,
  client_id int(11) unsigned NOT NULL DEFAULT 0,
  otp_type set('none','email') NOT NULL DEFAULT 'none',
  otp_recovery varchar(64)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE sys_group (
  groupid int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name varchar(64) NOT NULL DEFAULT '',
  client_id int(11) unsigned NOT NULL DEFAULT 0
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE server (
  server_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  server_name varchar(255) NOT NULL DEFAULT '',
  config text,
  updated bigint(20) unsigned NOT NULL DEFAULT 0,
  mirror_server_id int(11) unsigned NOT NULL DEFAULT 0,
  active tinyint(1) NOT NULL DEFAULT 1
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE server_php (
  server_php_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name varchar(255)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE web_domain (
  domain_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  ip_address varchar(39),
  ipv6_address varchar(255),
  domain varchar(255),
  type varchar(32),
  parent_domain_id int(11) unsigned NOT NULL DEFAULT 0,
  document_root varchar(255),
  system_user varchar(255),
  php varchar(32) NOT NULL DEFAULT 'y',
  server_php_id int(11) unsigned NOT NULL DEFAULT 0,
  rewrite_to_https enum('y','n') NOT NULL DEFAULT 'n',
  `ssl` enum('n','y') NOT NULL DEFAULT 'n',
  ssl_letsencrypt enum('n','y') NOT NULL DEFAULT 'n',
  ssl_letsencrypt_exclude enum('n','y') NOT NULL DEFAULT 'n',
  ssl_domain varchar(255),
  ssl_cert mediumtext,
  ssl_key mediumtext,
  ssl_action varchar(16),
  backup_password varchar(255) NOT NULL DEFAULT '',
  active enum('n','y') NOT NULL DEFAULT 'y',
  added_date date,
  UNIQUE KEY serverdomain (server_id, ip_address, domain)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE dns_soa (
  id int(10) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  origin varchar(255) NOT NULL DEFAULT '',
  active enum('N','Y') NOT NULL DEFAULT 'N',
  dnssec_wanted enum('Y','N') NOT NULL DEFAULT 'N',
  UNIQUE KEY origin (origin),
  KEY active (active)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE mail_domain (
  domain_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  domain varchar(255) NOT NULL DEFAULT '',
  dkim_private mediumtext,
  active enum('n','y') NOT NULL DEFAULT 'n',
  KEY server_id (server_id, domain),
  KEY domain_active (domain, active)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE mail_user (
  mailuser_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  email varchar(255) NOT NULL DEFAULT '',
  password varchar(255) NOT NULL DEFAULT '',
  quota bigint(20) NOT NULL DEFAULT 0,
  cc text,
  autoresponder enum('n','y') NOT NULL DEFAULT 'n',
  postfix enum('n','y') NOT NULL DEFAULT 'y',
  access enum('n','y') NOT NULL DEFAULT 'y',
  last_access int(11),
  KEY server_id (server_id, email),
  KEY email_access (email, access)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE mail_forwarding (
  forwarding_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  source varchar(255) NOT NULL DEFAULT '',
  destination text,
  type enum('alias','aliasdomain','forward','catchall') NOT NULL DEFAULT 'alias',
  active enum('n','y') NOT NULL DEFAULT 'n',
  KEY server_id (server_id, source),
  KEY type (type)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE mail_mailinglist (
  mailinglist_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  domain varchar(255) NOT NULL DEFAULT '',
  listname varchar(255) NOT NULL DEFAULT '',
  email varchar(255) NOT NULL DEFAULT '',
  password varchar(255) NOT NULL DEFAULT ''
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE web_database (
  database_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  parent_domain_id int(11) unsigned NOT NULL DEFAULT 0,
  type varchar(16) NOT NULL DEFAULT 'mysql',
  database_name varchar(64),
  database_quota int(11),
  database_user_id int(11) unsigned,
  database_ro_user_id int(11) unsigned,
  database_charset varchar(64),
  remote_access enum('n','y') NOT NULL DEFAULT 'y',
  active enum('n','y') NOT NULL DEFAULT 'y',
  KEY database_user_id (database_user_id),
  KEY database_ro_user_id (database_ro_user_id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE web_database_user (
  database_user_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  database_user varchar(64),
  database_password varchar(64)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE web_backup (
  backup_id int(10) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent_domain_id int(10) unsigned NOT NULL DEFAULT 0,
  backup_type enum('web','mysql','mongodb') NOT NULL DEFAULT 'web',
  backup_mode varchar(64) NOT NULL DEFAULT '',
  tstamp int(10) unsigned NOT NULL DEFAULT 0,
  filename varchar(255) NOT NULL DEFAULT '',
  filesize varchar(20) NOT NULL DEFAULT '',
  backup_password varchar(255) NOT NULL DEFAULT ''
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE mail_backup (
  backup_id int(10) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent_domain_id int(10) unsigned NOT NULL DEFAULT 0,
  mailuser_id int(10) unsigned NOT NULL DEFAULT 0,
  backup_mode varchar(64) NOT NULL DEFAULT '',
  tstamp int(10) unsigned NOT NULL DEFAULT 0,
  filename varchar(255) NOT NULL DEFAULT '',
  filesize varchar(20) NOT NULL DEFAULT ''
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE sys_datalog (
  datalog_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  dbtable varchar(255) NOT NULL DEFAULT '',
  dbidx varchar(255) NOT NULL DEFAULT '',
  action char(1) NOT NULL DEFAULT '',
  tstamp int(11) NOT NULL DEFAULT 0,
  user varchar(255) NOT NULL DEFAULT '',
  data longtext,
  status set('pending','ok','warning','error') NOT NULL DEFAULT 'ok',
  error mediumtext,
  session_id varchar(64) NOT NULL DEFAULT '',
  KEY server_id (server_id, status)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE sys_remoteaction (
  action_id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  tstamp int(11) NOT NULL DEFAULT 0,
  action_type varchar(20) NOT NULL DEFAULT '',
  action_param mediumtext,
  action_state enum('pending','ok','warning','error') NOT NULL DEFAULT 'pending',
  response mediumtext,
  KEY server_id (server_id)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE cron (
  id int(11) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sys_groupid int(11) unsigned NOT NULL DEFAULT 0,
  parent_domain_id int(11) unsigned NOT NULL DEFAULT 0,
  type enum('url','chrooted','full') NOT NULL DEFAULT 'url',
  command text,
  run_min varchar(100),
  run_hour varchar(100),
  run_mday varchar(100),
  run_month varchar(100),
  run_wday varchar(100),
  active enum('n','y') NOT NULL DEFAULT 'y'
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE monitor_data (
  server_id int(11) unsigned NOT NULL DEFAULT 0,
  type varchar(255) NOT NULL DEFAULT '',
  created int(11) unsigned NOT NULL DEFAULT 0,
  data mediumtext,
  PRIMARY KEY (server_id, type, created)
) DEFAULT CHARSET = utf8mb4;

CREATE TABLE sys_config (
  `group` varchar(64) NOT NULL DEFAULT '',
  name varchar(64) NOT NULL DEFAULT '',
  value varchar(255) NOT NULL DEFAULT '',
  PRIMARY KEY (`group`, name)
) DEFAULT CHARSET = utf8;
