import { type Field, text } from '../fields';

/** Replaces each hidden part. */
export const HIDDEN = '…';

const MAX_LENGTH = 256;

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** A key with one of these endings is a rule or a fact about a credential, not the credential. */
const POLICY_WORDS = wordSet(
  'age algo algorithm allowed at attempts backend characters charset complexity cost count date days disabled driver ' +
    'enabled enforced expiration expires expiry field file header history host hours interval length lifetime limit ' +
    'max maximum method min minimum minutes mode months name path plugin policy port prefix provider realm required ' +
    'retries rotation rounds score seconds size sock socket stdin strength supported timeout ttl type user username ' +
    'weeks years',
);

const CREDENTIAL_WORDS = wordSet(
  'auth bearer cred creds credential credentials dsn hash hashes jwt pass passcode passes passphrase passwd ' +
    'password passwords passwort pem psk pw pwd salt salts secret secrets token tokens webhook',
);

/** How many of them there may be, as in `max_tokens`. */
const NUMBER_OF = /^(?:max|min)(?:imum)? (?:.* )?(?:keys|passwords|secrets|tokens)$/;

/** Words that name a credential only at the end of a key, as in `vapid_private` and `stripe_sk`. */
const LAST_WORDS = wordSet('community cookie otp private seed sk totp');

/** Words written together, such as dbpass, authtoken or apikey. Words like compass and bypass are no passwords. */
const JOINED_CREDENTIAL =
  /(?:password|passwd|passwort|passphrase|kennwort|passkey|secret|token|apikey|authkey|privatekey|privkey|sshkey|credential)s?$|(?:pass|passwd|password|pwd?)hash$|pwd$|(?:admin|db|ftp|mail|mysql|root|sql|user)pw$|(?<!com|by|tres|sur|under|over|encom)pass$/;

/** Kinds of keys that are public or not cryptographic. A key of any other kind is a credential. */
const HARMLESS_KEYS = wordSet(
  'cache composite foreign hot index map object partition primary public publishable row shortcut site sort ' +
    'translation unique',
);

/** Prefixes of addresses that are secrets themselves or contain a password. */
const SECRET_ADDRESS_OWNERS = wordSet(
  'webhook hook secret signed private database db redis mongo mongodb mysql mariadb postgres postgresql amqp broker ' +
    'connection',
);

/**
 * Whether a setting with this key must be treated as a credential, however its words are joined. Whole words count
 * (`passive_ports` and `author` are harmless), the last one first (`token_ttl_seconds` is a rule). In doubt it returns
 * true: a setting that is hidden in error can be renamed, but a leak cannot be undone.
 */
export function looksLikeCredential(key: string): boolean {
  if (key.length > MAX_LENGTH) return true;
  const words = splitKeyWords(key);
  const last = words.at(-1) ?? '';
  if (POLICY_WORDS.has(last) || NUMBER_OF.test(words.join(' '))) return false;
  if (last === 'url' || last === 'uri') return words.some((word) => SECRET_ADDRESS_OWNERS.has(word));
  if (LAST_WORDS.has(last) && !/^(?:is|has)$/.test(words[0] ?? '')) return true;
  if (last === 'string' && words.includes('connection')) return true;
  return words.some(
    (word, index) => CREDENTIAL_WORDS.has(word) || JOINED_CREDENTIAL.test(word) || isSecretKey(words, index),
  );
}

/** "key" at the end, or after a word for its purpose, as in `stripe_api_key_live`. */
function isSecretKey(words: readonly string[], index: number): boolean {
  if (!/^keys?$/.test(words[index] ?? '')) return false;
  const owner = words[index - 1] ?? '';
  if (HARMLESS_KEYS.has(owner)) return false;
  return index === words.length - 1 || /^(?:api|private|access|licen[cs]e|encryption|signing)$/.test(owner);
}

/**
 * Returns the words of an identifier in lower case: `smtpPassword`, `SMTP_PASSWORD`, `smtp.password` and
 * `smtp-password2` all consist of smtp and password. Digits only separate words.
 */
export function splitKeyWords(key: string): string[] {
  return key
    .replace(/OAuth/g, 'Oauth')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Begins the text of a key or a certificate. */
const PEM = /-----BEGIN /;
// A password that is not encoded may contain any character. Of a line, only the first address is tried: what a lookahead
// has found is not sought again.
const ADDRESS_WITH_PASSWORD = /^(?=(.*?:\/\/[^\s/@:]*:))\1.+@/m;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
/** Letters beside digits, or a capital inside. A number is no credential, and neither is a long word. */
const MIXED = /[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]/;
/** How many letters and digits a credential has at least. */
const LENGTH = 16;

/** Ends a word. */
const BREAK = String.raw`\s,;:"'[\](){}<>|`;

/**
 * Whether a text contains a key, an address with a password, or a word that looks random. In doubt it returns true for a
 * long word, because a leak cannot be undone.
 */
export function containsCredential(text: string): boolean {
  if (PEM.test(text) || ADDRESS_WITH_PASSWORD.test(text) || UUID.test(text)) return true;
  return text.split(new RegExp(`[${BREAK}]+`)).some((word) => isRandom(strangeRuns(word)));
}

/** The letters and digits of a word, without the parts that look like words. */
function strangeRuns(word: string): readonly RegExpExecArray[] {
  return [...word.matchAll(/[A-Za-z0-9]+/g)].filter(([run]) => !isPlain(run));
}

function isRandom(runs: readonly RegExpExecArray[]): boolean {
  const strange = runs.map(([run]) => run).join('');
  return strange.length >= LENGTH && MIXED.test(strange);
}

const SHAPES = [
  /^(?:\d{1,8}|\d{14})$/, // numbers and dates
  /^(?:[A-Z]{1,12}|[A-Z]{0,4}[a-z]+(?:[A-Z][a-z]+)*)\d{0,4}$/, // words
  /^[a-z]{1,3}\d{5,9}$/, // names of accounts
  /^(?=.{3,12}$)(?:[a-z]+\d{1,3}[a-z]+|\d{1,4}[a-z]+)$/, // s3cmd, sha256sum, 7z
];

/** Whether a text of letters, digits and marks contains no part that looks random. */
function isPlain(text: string): boolean {
  if (text.length > 80) return false;
  return (text.match(/[A-Za-z0-9]+/g) ?? []).every((run) => {
    const capitals = run.match(/[A-Z]/g)?.length ?? 0;
    const many = run.length >= 8 && capitals < run.length && capitals * 3 > run.length;
    return (
      !many && !/[bcdfghjklmnpqrstvwxz]{7}|[a-z]{16}/i.test(run) && SHAPES.some((shape) => shape.test(run))
    );
  });
}

const CREDENTIALS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [\s\S]*?(?:-----END [^-]*-----|$)/g, HIDDEN],
  // The user and the password of an address, also of one without a scheme: `root:S3cret@db`.
  [/(:\/\/)(?:[^\s/@:]*:\S{0,512}|[^\s/?#@]*)@/g, `$1${HIDDEN}@`],
  [/(^|[\s"'(=<])(?!mailto:)[\w.+-]{1,64}:[^\s@/<]{1,256}@/gi, `$1${HIDDEN}@`],
  [/\b(authorization: *\w+ +|bearer +(?=\S*\d))[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`],
  [new RegExp(UUID, 'gi'), HIDDEN],
];
/** `name=value`, also in an address, and `"name": value`. */
const NAMED = /(?<![\w.-])([\w.-]+)(=|%3D|["']\s*:\s*)("[^"]*"|'[^']*'|[^\s&;,'"<>]+)/gi;
/** A word that is long enough to be a credential. */
const WORD = new RegExp(`[^${BREAK}]{${LENGTH},}`, 'g');

/**
 * Returns a text in which `…` replaces keys, the users and passwords of addresses, values with the name of a credential,
 * and what looks random.
 */
export function hideCredentials(text: string): string {
  return CREDENTIALS.reduce((shown, [credential, by]) => shown.replace(credential, by), text)
    .replace(NAMED, (all, name: string, mark: string) =>
      looksLikeCredential(name) ? name + mark + HIDDEN : all,
    )
    .replace(WORD, withoutRandom);
}

/** The name of a class, such as that of an error. */
const CLASS_NAME = /^[A-Z]{0,4}[a-z]{2,}(?:[A-Z]{1,4}[a-z]{2,})*$/;

function withoutRandom(word: string): string {
  const runs = strangeRuns(word).filter(([run]) => !CLASS_NAME.test(run));
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last || !isRandom(runs)) return word;
  return word.slice(0, first.index) + HIDDEN + word.slice(last.index + last[0].length);
}

/** A text that the panel writes freely, such as an error. Credentials in it are hidden. */
export function panelText(description: string): Field<string, 'text'> {
  const field = text(description);
  const read = field.reader();
  return {
    ...field,
    reader: () => (raw) => {
      const written = read(raw);
      return written === null ? null : hideCredentials(written);
    },
  };
}
