/** A short flag, or a bare word, by which a program takes a secret; its name alone would not tell. */
export interface SecretFlag {
  /** The program's name without its directory. */
  program: RegExp;
  /** The flag; what it captures is a value attached to it, without one the next word is the value. */
  flag: RegExp;
  /** `pair`: the value is a user and a password, and the user may be seen. */
  value: 'secret' | 'pair';
  /** Whether the flag counts once only, because a command of another program follows. */
  once?: true;
}

const MYSQL = /^(?:mysql|maria|mydumper|myloader|xtrabackup|innobackupex)/;
// curl's letters that take no value, so that `-fsSu user:password` is understood.
const CURL_USER = /^-[#0-46aBfgGiIjJklLMnNOpqRsSvZ]*[uU]([\s\S]*)$/;

const ROWS: readonly SecretFlag[] = [
  { program: MYSQL, flag: /^-p([\s\S]*)$/, value: 'secret' },
  { program: /^(?:mysqladmin|mariadb-admin)$/, flag: /^password()$/, value: 'secret' },
  { program: /^sshpass$/, flag: /^-p([\s\S]*)$/, value: 'secret', once: true },
  { program: /^(?:mongo|ncftp)/, flag: /^-p([\s\S]*)$/, value: 'secret' },
  { program: /^(?:redis|valkey)-cli$/, flag: /^-a([\s\S]*)$/, value: 'secret' },
  { program: /^ldap/, flag: /^-w([\s\S]*)$/, value: 'secret' },
  { program: /^(?:zip|unzip|mosquitto_.*)$/, flag: /^-P([\s\S]*)$/, value: 'secret' },
  { program: /^(?:7z|7za|7zr|7zz|rar|unrar)$/, flag: /^-h?p([\s\S]+)$/, value: 'secret' },
  { program: /^(?:docker|podman|az|helm)$/, flag: /^-p([\s\S]*)$/, value: 'secret' },
  { program: /^(?:sqlcmd|bcp|isql)$/, flag: /^-P([\s\S]*)$/, value: 'secret' },
  { program: /^openssl$/, flag: /^-[kK]()$/, value: 'secret' },
  { program: /^curl$/, flag: CURL_USER, value: 'pair' },
  { program: /^(?:curl|wget)$/, flag: /^--(?:proxy-)?user(?:=([\s\S]*))?$/, value: 'pair' },
  { program: /^https?$/, flag: /^-a([\s\S]*)$/, value: 'pair' },
  { program: /^lftp$/, flag: /^-u([\s\S]*)$/, value: 'pair' },
  { program: /^(?:smbclient|rpcclient)$/, flag: /^-U([\s\S]*)$/, value: 'pair' },
];

// Nearly every word names none of them, and one look instead of one for each row tells that.
const ANY = new RegExp(ROWS.map(({ program }) => program.source).join('|'));

/** The flags by which a program takes secrets, the program named without its directory. */
export function secretFlags(name: string): readonly SecretFlag[] {
  return ANY.test(name) ? ROWS.filter(({ program }) => program.test(name)) : [];
}
