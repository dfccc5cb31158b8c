import { maskCommand } from '../../../lib/cron/maskCommand';

const HARMLESS = [
  '/usr/bin/php8.2 /var/www/vhosts/example.com/httpdocs/bin/magento cron:run 2>&1 | grep -v "Ran jobs by schedule" >> /var/log/x.log',
  'cd /home/u123456789/domains/example.com/public_html && /usr/local/bin/wp cron event run --due-now >/dev/null 2>&1',
  'tar czf /backup/$(date +\\%Y\\%m\\%d)-full-site-backup-example.com.tar.gz /var/www',
  'rsync -az -e "ssh -p 2222 -i /root/.ssh/id_ed25519_backup" /var/www/ backup@host:/srv/',
  'php artisan auth:clear-resets && php artisan passport:purge',
  'pg_dump -U postgres -h localhost -p 5432 app | gzip > /b/app.sql.gz',
  'mysqldump --defaults-extra-file=/root/.my.cnf --port=3306 -P 3306 db > /b.sql',
  'mysql -u root -p -e "select 1" < /x.sql',
  'wget -q -O - "https://example.com/index.php?option=com_x&ctrl=cron&Itemid=123"',
  'rsync --password-file=/etc/rsync.secret a b',
  'tool --key /etc/ssl/site.key --author bob --passive --no-password x --ask-pass',
  'find . -name "*.php" -exec grep -l "password" {} \\;',
  '/opt/RunTheMonthlyInvoicesAndReportsForEveryCustomer.sh /opt/backup-2024-06-12-full-database-dump-prod.sh',
  'PWD=/x OLDPWD=/y SSH_AUTH_SOCK=/tmp/agent cmd',
  'scp user@host:/x .; echo it\'s "fine"',
  'certbot -q renew --key-type rsa --deploy-hook "systemctl reload nginx"',
];

test.each(HARMLESS)('%s stays as it is', (command) => {
  expect(maskCommand(command)).toBe(command);
});

describe.each([
  [
    'programs that take a password by a short flag',
    [
      ['mysqldump -u root -pS3cret! db > /b.sql', 'mysqldump -u root -p*** db > /b.sql'],
      ["mysql -uroot -p 'two words' db", 'mysql -uroot -p *** db'],
      ['docker exec db /usr/bin/mariadb-dump -psecret db', 'docker exec db /usr/bin/mariadb-dump -p*** db'],
      ['sshpass -p secret ssh -p 22 host', 'sshpass -p *** ssh -p 22 host'],
      ['ssh -p 2222 host mysqladmin -psecret status', 'ssh -p 2222 host mysqladmin -p*** status'],
      ['redis-cli -a secret ping', 'redis-cli -a *** ping'],
      ['mysqladmin password secret', 'mysqladmin password ***'],
      ['mysql -psecret; tar -pxf a', 'mysql -p***; tar -pxf a'],
    ],
  ],
  [
    'long flags',
    [
      ['x --password=secret --verbose', 'x --password=*** --verbose'],
      ['x --password "two words" y', 'x --password *** y'],
      ['x --api-key secret --pass=a --auth-token b', 'x --api-key *** --pass=*** --auth-token ***'],
      ['x --password \\\n secret', 'x --password \\\n ***'],
      ['java -Ddb.password=secret -jar x', 'java -Ddb.password=*** -jar x'],
      ['openssl enc -pass pass:secret -in x', 'openssl enc -pass *** -in x'],
    ],
  ],
  [
    'variables',
    [
      ['MYSQL_PWD=secret mysqldump db', 'MYSQL_PWD=*** mysqldump db'],
      ["export FOO_TOKEN=a; API_KEY='a b' run", 'export FOO_TOKEN=***; API_KEY=*** run'],
      ['env X_SECRET="a b" DB_PASSWORD=c php a.php', 'env X_SECRET=*** DB_PASSWORD=*** php a.php'],
      ['docker run -e PASSWORD=a --env=TOKEN=b image', 'docker run -e PASSWORD=*** --env=TOKEN=*** image'],
      ['DATABASE_URL=postgres://a:b@h/c rake x', 'DATABASE_URL=*** rake x'],
    ],
  ],
  [
    'commands in quotes',
    [
      [
        "bash -c 'MYSQL_PWD=a mysqldump -pb db' && echo 'hi'",
        "bash -c 'MYSQL_PWD=*** mysqldump -p*** db' && echo 'hi'",
      ],
      ['ssh h "mysqldump -p\\"two words\\" db"', 'ssh h "mysqldump -p*** db"'],
      ["sh -c 'mysql -p'\\''two words'\\'' db'", "sh -c 'mysql -p*** db'"],
    ],
  ],
  [
    'addresses',
    [
      ['curl https://user:pass@host/x', 'curl https://user:***@host/x'],
      ['sftp bob:pass@host', 'sftp bob:***@host'],
      ["curl 'https://h/x?token=a&n=1&key=b&sig=c'", "curl 'https://h/x?token=***&n=1&key=***&sig=***'"],
      ['curl https://hooks.slack.com/services/T0/B0/abc', 'curl https://hooks.slack.com/***'],
    ],
  ],
  [
    'what curl sends',
    [
      ['curl -u user:pass https://h', 'curl -u user:*** https://h'],
      ['curl -fsSu user:pass --proxy-user=a:b h', 'curl -fsSu user:*** --proxy-user=a:*** h'],
      ["curl -H 'Authorization: Bearer abc' h", "curl -H 'Authorization: Bearer ***' h"],
      ['curl -H "X-Api-Key: two words" h', 'curl -H "X-Api-Key: ***" h'],
      ['curl -H X-Api-Key:abc h', 'curl -H X-Api-Key:*** h'],
      ["curl -d 'user=a&password=two words' h", "curl -d 'user=a&password=***' h"],
      [
        `curl -d '{"user":"a","password":"two words","n":1}' h`,
        `curl -d '{"user":"a","password":"***","n":1}' h`,
      ],
      ['curl -d "{\\"token\\":\\"a b\\",\\"n\\":1}" h', 'curl -d "{\\"token\\":\\"***\\",\\"n\\":1}" h'],
    ],
  ],
  [
    'secrets known by their form',
    [
      ['x Bearer abc.def', 'x Bearer ***'],
      ['x AKIAIOSFODNN7EXAMPLE y', 'x *** y'],
      ['x wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY y', 'x *** y'],
      ['x ghp_abcdefghijklmnopqrst y', 'x *** y'],
      ['git checkout 9fceb02d0ae598e95dc970b74767f19372d61af8', 'git checkout ***'],
      ['curl https://hc-ping.com/3f2b1c5e-1234-4a5b-8c9d-0123456789ab', 'curl https://hc-ping.com/***'],
      ['x --data=Zm9vYmFyQkFaMTIzNDU2Nzg5MGFiY2RlZmdo', 'x --data=***'],
      ["x '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----' y", "x '***' y"],
      [`mysql -e "ALTER USER a IDENTIFIED BY 'two words'"`, `mysql -e "ALTER USER a IDENTIFIED BY '***'"`],
    ],
  ],
] as const)('of %s the secret is masked', (_name, commands) => {
  test.each(commands)('%s', (command, masked) => {
    expect(maskCommand(command)).toBe(masked);
  });
});

const QUOTINGS = [
  "'S3 S3'",
  '"S3 S3"',
  'S3\\ S3',
  `'S3'"S3"`,
  `"a'S3"`,
  `'a"S3'`,
  "$'S3'",
  '"S3\\"S3"',
  '"a&S3"',
  "'a;S3'",
  "'-S3'",
];
const PLACES = [
  'mysql -p@ db',
  'mysql -p @ db',
  'x --password=@ y',
  'x --token @ y',
  'A_SECRET=@ y',
  'curl -u bob:@ h',
];

test.each(PLACES)('however it is quoted, the secret in %s is masked, in nested shells too', (place) => {
  for (const quoting of QUOTINGS) {
    const command = place.replace('@', () => quoting);
    const nested = [
      command,
      `sh -c '${command.replaceAll("'", "'\\''")}'`,
      `ssh h "${command.replace(/["\\$`]/g, '\\$&')}"`,
    ];
    expect(nested.map(maskCommand).join('\n')).not.toContain('S3');
  }
});

test('masking again changes nothing, whatever the input', () => {
  const pieces =
    `mysql/-p/-px/--password/token=/'/"/\\/\\"/ /;/&/|/$(/\`/</\n/u:p@h/?key=x/Bearer a/X-Api-Key: a b/-c`
      .split('/')
      .concat(
        'https://',
        "'password'",
        '"password":',
        '"a"',
        '=>',
        'identified by "',
        '-----BEGIN PRIVATE KEY-----',
      );
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 20_000; round++) {
    const command = Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)]).join('');
    const masked = maskCommand(command);
    expect(maskCommand(masked)).toBe(masked);
  }
});

test('a command too long to be examined is masked whole', () => {
  expect(maskCommand('a '.repeat(500_000))).toBe('***');
});

test.each([
  'a',
  ' ',
  '"',
  "'",
  '\\',
  `"'`,
  '&a=b',
  'mysql -p ',
  '://a:',
  '"a":"',
  '"a":[',
  'eyJ-',
  'a=',
  'A0',
  '$(',
])('a long row of %j takes no time', (piece) => {
  const command = piece.repeat(4096 / piece.length);
  const times = [1, 2, 3].map(() => {
    const begun = performance.now();
    maskCommand(command);
    return performance.now() - begun;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
