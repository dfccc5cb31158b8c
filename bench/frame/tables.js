const { engines } = require('./engines');

/**
 * The kinds of columns: MariaDB's type, the SQL of the value from the row's number `seq`, and how the module shows a
 * value, if not as MariaDB's driver reads it.
 */
const replaced = (pattern) => `replace('${pattern.replaceAll('+', ' ')}', '#', concat(seq))`;
const asText = { type: 'varchar(255)', value: replaced };

const kinds = {
  key: { type: 'int unsigned not null primary key', value: () => 'seq' },
  account: { type: 'int unsigned', value: (accounts) => `1 + seq % ${accounts}` },
  id: { type: 'int unsigned', value: () => 'seq' },
  number: { type: 'int', value: (most = 1000) => `seq % ${most}` },
  bytes: { type: 'bigint', value: () => 'seq * 7919 % 5000000000' },
  flag: { type: 'tinyint(1)', value: () => 'seq % 3 > 0', shown: (stored) => stored === 1 },
  time: {
    type: 'datetime',
    value: (_, engine) => engine.time('seq * 61 % 63072000'),
    shown: (stored) => stored && `${stored.slice(0, 19)}+00:00`,
  },
  word: { type: 'varchar(32)', value: wordInTurn },
  text: asText,
  long: { ...asText, type: 'varchar(4000)' },
  list: { ...asText, shown: (stored) => stored?.split(',') ?? [] },
};

function wordInTurn(words) {
  const turns = words.split(',').flatMap((each) => {
    const [word, times = 1] = each.split('*');
    return Array(Number(times)).fill(word);
  });
  return `case seq % ${turns.length} ${turns.map((word, turn) => `when ${turn} then '${word}'`).join(' ')} end`;
}

/**
 * The lists in the order in which they are measured: each table is named as its resource, its columns as the fields. A
 * column is `name:kind=argument`; without a kind it is text if there is a `#`, where the row's number stands (and `+` for
 * a space), else a word of those in turn. It is null in every n-th row with `?n`, and except in every n-th with `!n`.
 * `values` has SQL of other values, `indexes` the columns of each index.
 *
 * Some optional fields have no column: with them, the text of a million rows would be longer than a string can be. What
 * the module works out, such as the days left of a certificate, is no panel's column.
 */
const lists = {
  domains: {
    rows: 13_000,
    columns: `id:key domain=customer-#.example.com type=primary,addon,subdomain,alias
      ssl_status=active,expiring,none status=active*7,suspended,pending account_id:account parent_id:id?3
      website_id:id dns_managed:flag dnssec_enabled:flag mail_enabled:flag registration_expires_at:time?4
      created_at:time updated_at:time`,
  },
  email: {
    rows: 500_000,
    columns: `id:key address=mailbox-#@example.com domain=customer-#.example.com account_id:account
      type=mailbox*3,forwarder,alias status=active*6,suspended quota_bytes:bytes?6 used_bytes:bytes
      forward_to:list=other-#@example.net,archive@example.net!4 keep_copy:flag autoresponder_enabled:flag
      send_limit_per_day:number?3 last_login_at:time?5 created_at:time updated_at:time`,
  },
  jobs: {
    filter: 'status=failed',
    orders: ['finished_at'],
    indexes: ['status', 'finished_at'],
    columns: `id:key type=backup,restore,certificate,deploy,usage status=succeeded*6,failed account_id:account
      target_type=website,domain,database target_id=# progress_percent:number=101 attempts:number=3
      max_attempts:number=5 queued_at:time started_at:time?9 finished_at:time?9 duration_ms:number=600000?9
      actor=system,admin,customer error=The+command+ended+with+exit+code+#!7`,
  },
  accounts: {
    columns: `id:key username=c# email=owner-#@example.com name=Müller+&+Søn+# role=customer*4,reseller
      status=active*6,suspended owner_id:id?2 plan=Small,Medium,Large primary_domain=customer-#.example.com
      disk_used_bytes:bytes disk_limit_bytes:bytes?6 bandwidth_used_bytes:bytes domain_count:number
      mailbox_count:number database_count:number two_factor_enabled:flag last_login_at:time?5 created_at:time
      updated_at:time`,
  },
  websites: {
    columns: `id:key domain=customer-#.example.com account_id:account
      aliases:list=www.customer-#.example.com,customer-#.example.net status=active*5,stopped,suspended
      runtime=php,node,static runtime_version=8.2,8.3,20 web_server=nginx,apache document_root=/home/c/www/#
      ip_addresses:list=192.0.2.1 ssl_enabled:flag force_https:flag disk_used_bytes:bytes
      bandwidth_used_bytes:bytes system_user=c# app=wordpress,nextcloud,ghost?3 created_at:time
      updated_at:time!2`,
  },
  databases: {
    columns: `id:key name=c_db# engine=mariadb,mysql,postgresql engine_version=10.11,8.0,16 account_id:account
      website_id:id?3 status=active*4,suspended host=db1.example.com,db2.example.com port:number
      charset=utf8mb4,utf8mb3 collation=utf8mb4_general,utf8mb3_general size_bytes:bytes size_limit_bytes:bytes?6
      table_count:number users:list=c#_rw,c#_ro remote_access:flag created_at:time updated_at:time`,
  },
  ssl: {
    filter: 'status=failed',
    columns: `id:key common_name=customer-#.example.com
      sans:list=customer-#.example.com,www.customer-#.example.com account_id:account website_id:id?3
      type=acme*2,custom issuer=R10,R11,E5 status=valid*5,expiring,failed issued_at:time expires_at:time?7
      auto_renew:flag last_error=No+answer+at+customer-#.example.com!7 key_type=ecdsa-p256,rsa-2048
      fingerprint_sha256=# created_at:time updated_at:time`,
    values: { fingerprint_sha256: "sha2(concat('certificate', seq), 256)" },
  },
  backups: {
    filter: 'status=failed',
    columns: `id:key account_id:account website_id:id?3 scope=account,website,database
      contents:list=files,databases,email trigger=scheduled*2,manual method=full,incremental
      status=succeeded*4,partial,failed started_at:time finished_at:time?9 duration_ms:number=600000?9
      size_bytes:bytes storage=local,s3,sftp file_name=backup-#.tar.zst encrypted:flag verified:flag
      expires_at:time error=The+storage+did+not+answer+for+#+seconds!6`,
  },
  cron: {
    filter: 'last_status=failed',
    columns: `id:key account_id:account website_id:id?3 name=Task+# schedule=# timezone=Europe/Berlin,UTC
      type=command,script command:long=/usr/bin/php+/home/c#/www/cron.php run_as=c# enabled:flag last_run_at:time?5
      next_run_at:time last_status=succeeded*4,failed last_exit_code:number=3 last_duration_ms:number=60000
      created_at:time updated_at:time`,
    values: { schedule: "concat(seq % 60, ' ', seq % 24, ' * * *')" },
  },
};

const usual = {
  rows: 1_000_000,
  accounts: 5000,
  filter: 'status=suspended',
  orders: [],
  indexes: [],
  values: {},
};

const tables = Object.fromEntries(
  Object.entries(lists).map(([name, list]) => [name, { name, ...usual, ...list }]),
);

/**
 * The columns of a list: name, kind, SQL type, SQL of the value, the columns of its index, and how the module shows a
 * value.
 */
function columnsOf({ columns, accounts, indexes, values }, engine = engines.mariadb) {
  return columns.split(/\s+/).map((declared) => {
    const [, name, given, argument, gap, every] = /^(\w+)(?::(\w+))?(?:=(.+?))?(?:([?!])(\d+))?$/.exec(
      declared,
    );
    const kind = given ?? (argument.includes('#') ? 'text' : 'word');
    const { type, value: inSql, shown = (stored) => stored } = kinds[kind];
    const value = values[name] ?? inSql(kind === 'account' ? accounts : argument, engine);
    const index = kind === 'account' ? name : indexes.find((one) => one.split(', ')[0] === name);
    const [ofMariadb, ofEngine] = Object.entries(engine.types).find(([one]) => type.startsWith(one)) ?? [];
    const isNull = `seq % ${every} ${gap === '!' ? '>' : '='} 0`;
    return {
      name,
      kind,
      type: ofMariadb ? type.replace(ofMariadb, ofEngine) : type,
      value: gap ? `case when ${isNull} then null else ${value} end` : value,
      index,
      shown,
    };
  });
}

module.exports = { columnsOf, tables };
