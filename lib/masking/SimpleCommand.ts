import { looksLikeCredential } from './credentials';
import { HIDDEN, isCommon, isPlain, shownPath, shownUrl, wordSet } from './harmlessText';

/** Ends the part of a command that is read. A word that contains it is not completely known, so it is hidden. */
export const CUT = '\0';
const ASSIGNMENT = /^([A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*)(\+?=)([\s\S]*)$/;
const SUBCOMMAND = /^[a-z][a-z0-9]*(?:[:/_-][a-z0-9]+)*$/;

const AS_WRITTEN = wordSet('- -- {} + ] ]] . .. / ~ * ; ! $? GET HEAD POST PUT');
const KEYWORDS = wordSet('if then elif else while until do { } ! fi done esac');
const SHELLS = /^(?:ba|da|k|z)?sh$/;
const INTERPRETERS =
  /^(?:(?:ea-)?php|lsphp|python|pypy|perl|ruby|node|java)[\d.]*(?:-cli)?$|^(?:ba|da|k|z)?sh$|^(?:source|\.)$/;
/** Programs whose first word is a subcommand. */
const SUBCOMMANDS = wordSet(
  'apk apt apt-get artisan aws bench borg brew bundle cake cargo certbot composer console craft dnf docker ' +
    'docker-compose drupal drush gcloud git helm kubectl magento magerun manage.py mix n98-magerun n98-magerun2 npm npx ' +
    'occ openssl pm2 pnpm podman poetry rails rake rclone restic s3cmd service snap spark supervisorctl svn symfony ' +
    'systemctl tar think typo3 wp wp-cli yarn yii yum zfs zpool',
);
/** Programs whose words are no secrets unless they follow a flag: names of services and packages, and folders. */
const OPEN = wordSet('apt apt-get cd dnf invoke-rc.d service supervisorctl systemctl yum');
/** Programs whose short flags and numbers are no secrets. */
const HARMLESS = wordSet(
  'chmod chown chronic cp date df du find flock gzip head ionice kill ln ls mkdir mv nice nohup rm rsync sleep ' +
    'sudo tail tar timeout wget xargs',
);
/** Flags of curl without a value, and then one that may have a value. */
const CURL_FLAGS = /^-[fsSkLgiIjNqv]+[omdHuXw]?$/;
const QUIET_FLAG = /^-(?:[fnqvy]|-force|-no-interaction|-quiet|-verbose|-yes)$/;

/** What takes assignments, like a runner, and no program. */
const DECLARATIONS = wordSet('declare export local readonly typeset');
/** Programs that run another one: how many words precede it, and which flags take the next word. */
const RUNNERS = new Map<string, readonly [words: number, flags: string]>([
  ['sudo', [0, 'ugpCDhRrTtU']],
  ['doas', [0, 'uC']],
  ['runuser', [0, 'ugG']],
  ['nice', [0, 'n']],
  ['ionice', [0, 'cn']],
  ['env', [0, 'uCS']],
  ['time', [0, 'fo']],
  ['stdbuf', [0, 'ioe']],
  ['xargs', [0, 'InPLdasE']],
  ['sshpass', [0, 'pfdP']],
  ['timeout', [1, 'ks']],
  ['flock', [1, 'wE']],
  ['chroot', [1, '']],
  ['ssh', [1, 'BbcDEeFIiJLlmOoPpQRSWw']],
  ...['gosu', 'setuser', 'su-exec'].map((name) => [name, [1, '']] as const),
  ['bundle exec', [0, '']],
  ['kubectl exec', [1, 'nc']],
  ...['docker', 'docker-compose', 'podman'].map((name) => [name + ' exec', [1, 'euw']] as const),
  ...[...DECLARATIONS, ...wordSet('chronic command cronic exec nohup root setsid')].map(
    (name) => [name, [0, '']] as const,
  ),
]);
/** Programs other than shells whose flag -c takes a command. */
const COMMAND_TAKERS = wordSet('flock runuser su');
const SILENT = wordSet('echo printf');

/** One command of a line. Whether a word may be shown depends on the words before it. */
export class SimpleCommand {
  #program = '';
  #next: 'program' | 'script' | 'subcommand' | 'later subcommand' | 'argument';
  /** What the previous word means for the next one. */
  #announced: 'secret' | 'value' | 'command' | null = null;
  /** How many of the runner's own words remain before the program, and the flags that take the next word. */
  #runner: readonly [words: number, flags: string] = [0, ''];
  readonly #masked: (line: string) => string;

  /** @param masked masks a command that is one word of this one */
  constructor(next: 'program' | 'argument', masked: (line: string) => string) {
    this.#next = next;
    this.#masked = masked;
  }

  /** The word as it may be shown. */
  show(plain: string, raw: string): string {
    const announced = this.#announced;
    this.#announced = null;
    if (plain.includes(CUT) || announced === 'secret') return HIDDEN;
    if (announced === 'command') return this.#nested(raw);
    if (announced === 'value') return this.#argument(plain);
    if (SILENT.has(this.#program)) return HIDDEN;
    if (plain === '--') return plain;
    if (/^[-+]./.test(plain)) return this.#flag(plain);
    if (this.#next === 'program') return this.#asProgram(plain, raw);
    if (this.#next === 'script') return this.#asScript(plain);
    return this.#asSubcommand(plain) ?? this.#argument(plain, SUBCOMMANDS.has(this.#program));
  }

  #asProgram(plain: string, raw: string): string {
    const [words, flags] = this.#runner;
    if (words > 0) {
      this.#runner = [words - 1, flags];
      return this.#argument(plain);
    }
    if (KEYWORDS.has(plain)) return plain;
    if (this.#program === 'ssh' && plain.includes(' ')) return this.#nested(raw);
    const [, name = '', equals, value = ''] = ASSIGNMENT.exec(plain) ?? [];
    if (equals !== undefined && isPlain(name)) return name + equals + this.#value(name, value);
    if (DECLARATIONS.has(this.#program)) return HIDDEN;
    const isName = /^(?:\[\[?|[:.]|\d?[A-Za-z_][\w.-]*)$/.test(plain) && isPlain(plain);
    const path = plain.includes('/') ? shownPath(plain, true) : isName ? plain : null;
    this.#run(path === null || path.endsWith(HIDDEN) ? '' : lastSegment(plain));
    return shownUrl(plain) ?? path ?? HIDDEN;
  }

  #value(name: string, value: string): string {
    return value === '' ? '' : looksLikeCredential(name) ? HIDDEN : this.#argument(value);
  }

  #asScript(plain: string): string {
    const path = shownPath(plain, SUBCOMMANDS.has(lastSegment(plain)));
    if (path !== null) this.#run(lastSegment(plain));
    return path ?? HIDDEN;
  }

  #run(program: string): void {
    const name = program.replace(/\.phar$/, '');
    const runner = RUNNERS.get(name);
    this.#program = name;
    this.#runner = runner ?? [0, ''];
    if (runner) this.#next = 'program';
    else if (INTERPRETERS.test(name)) this.#next = 'script';
    else this.#next = SUBCOMMANDS.has(name) || OPEN.has(name) ? 'subcommand' : 'argument';
  }

  #asSubcommand(plain: string): string | null {
    if (this.#next === 'argument' || !SUBCOMMAND.test(plain) || !isPlain(plain)) return null;
    if (this.#next === 'later subcommand' && !OPEN.has(this.#program) && !isCommon(plain)) return null;
    const runner = `${this.#program} ${plain}`;
    if (RUNNERS.has(runner)) this.#run(runner);
    else this.#next = /^run(?:-script)?$/.test(plain) ? 'subcommand' : 'later subcommand';
    return plain;
  }

  #flag(plain: string): string {
    const [, name, equals, value = ''] = /^--([a-z][a-z0-9._-]*)(=?)([\s\S]*)$/.exec(plain) ?? [];
    if (this.#next.endsWith('subcommand') && !OPEN.has(this.#program)) {
      this.#next = equals || QUIET_FLAG.test(plain) ? 'later subcommand' : 'argument';
    }
    if (this.#next === 'program' && !RUNNERS.has(this.#program)) this.#next = 'argument';
    if (name === undefined) return this.#shortFlag(plain);
    if (!isPlain(name) || (!equals && value !== '')) return HIDDEN;
    if (equals) return `--${name}=${this.#value(name, value)}`;
    if (looksLikeCredential(name)) this.#announced = 'secret';
    return plain;
  }

  #shortFlag(plain: string): string {
    const program = this.#program;
    const letters = /^-([A-Za-z]{1,6})$/.exec(plain)?.[1] ?? '';
    if (letters.endsWith('c') && (SHELLS.test(program) || COMMAND_TAKERS.has(program))) {
      this.#announced = 'command';
      return plain;
    }
    if (program === 'find' && /^-(?:exec|ok)(?:dir)?$/.test(plain)) this.#next = 'program';
    // Of the flags that take the next word, the first one must be the last letter.
    const taking = this.#next === 'program' ? letters.search(new RegExp(`[${this.#runner[1] || '-'}]`)) : -1;
    const takesAny = letters.length === 1 && OPEN.has(program) && !QUIET_FLAG.test(plain);
    if (takesAny || (letters !== '' && taking === letters.length - 1)) this.#announced = 'value';
    const isShown =
      (HARMLESS.has(program) && /^(?:-[A-Za-z]{1,6}\d{0,4}-?|[-+]\d{1,4})$/.test(plain)) ||
      (program === 'find' && /^-(?:m(?:ax|in)depth|execdir)$/.test(plain)) ||
      /^-(?:[A-Za-z]|it|ti|jar)$/.test(plain) ||
      (program === 'curl' && CURL_FLAGS.test(plain));
    if (isShown) return plain;
    return /^-[A-Za-z]/.test(plain) ? plain.slice(0, 2) + HIDDEN : HIDDEN;
  }

  /** @param mayPrecede whether a subcommand may follow: after a flag's value it may, after another word it may not */
  #argument(plain: string, mayPrecede = false): string {
    const isShort = HARMLESS.has(this.#program) && /^(?:\d{1,5}[smhdkMG]?|[a-z])$/.test(plain);
    const shown =
      isShort || AS_WRITTEN.has(plain) || /^\d\d?$/.test(plain)
        ? plain
        : (shownUrl(plain) ?? shownPath(plain, this.#program === 'cd' && plain.includes('/')) ?? HIDDEN);
    if (mayPrecede) this.#next = shown === HIDDEN ? 'argument' : 'later subcommand';
    return shown;
  }

  /** A command that is a single word of this one. */
  #nested(raw: string): string {
    const quote = /^["']/.exec(raw)?.[0] ?? '';
    const inner = raw.slice(quote.length, raw.length - quote.length);
    const isWhole =
      raw.endsWith(quote) && !(quote === "'" ? inner.includes("'") : /["']|\\(?!%)/.test(inner));
    return isWhole ? quote + this.#masked(inner) + quote : HIDDEN;
  }
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
