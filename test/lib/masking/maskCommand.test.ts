import { readFileSync } from 'node:fs';
import { maskCommand } from '../../../lib/masking/maskCommand';

const lines = (name: string) =>
  readFileSync(`${__dirname}/../../fixture/masking/${name}.txt`, 'utf8').trimEnd().split('\n');

/** Commands from ordinary crontabs, each followed by its masked form. */
const ORDINARY = lines('ordinaryCommands');
/** Commands with `§` in place of their secrets. */
const SECRET = lines('secretCommands');
/** Secrets of every kind. No part of them occurs in a command otherwise. */
const SECRETS = [
  'quokkaviolin',
  'K9mQx7Lp2v',
  '7f3a9c1e5b8d2064',
  '48159263',
  'Vx+9/kQ2b/zzTw==',
  'wJalrXUtnFEMI/K7MDENG',
];
const PIECE = 4;

test.each(ORDINARY.filter((_, index) => index % 2 === 0))(
  '%s still shows its program and its files',
  (command) => {
    expect(`→ ${maskCommand(command)}`).toBe(ORDINARY[ORDINARY.indexOf(command) + 1]);
  },
);

/** @param known a text in which a piece may occur by chance */
function shownPiece(secret: string, masked: string, known = ''): string | undefined {
  return Array.from(secret, (_, at) => secret.slice(at, at + PIECE)).find(
    (piece) => piece.length === PIECE && masked.includes(piece) && !known.includes(piece),
  );
}

test.each(SECRET)('%s shows no piece of its secret', (template) => {
  for (const secret of SECRETS) {
    const masked = maskCommand(template.replaceAll('§', () => secret));
    expect([masked, shownPiece(secret, masked)]).toEqual([masked, undefined]);
  }
});

function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const BASE_62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ALPHABETS = [BASE_62, BASE_62.slice(-36), '0123456789abcdef', '0123456789'];
const LENGTH = 20;

test('a random string is hidden wherever it is put into an ordinary command', () => {
  const random = pseudoRandom(7);
  for (let round = 0; round < 20_000; round++) {
    const words = ORDINARY[2 * random(ORDINARY.length / 2)]!.split(' ');
    const alphabet = ALPHABETS[random(ALPHABETS.length)]!;
    const secret = Array.from({ length: LENGTH }, () => alphabet[random(alphabet.length)]).join('');
    const at = random(words.length + 1);
    const attached = random(3) === 0 ? (words[at] ?? '') : '';
    const masked = maskCommand(words.toSpliced(at, attached === '' ? 0 : 1, attached + secret).join(' '));
    const piece = shownPiece(secret, masked, words.join(' '));
    expect([masked, piece]).toEqual([masked, undefined]);
  }
});

test('a word that a program takes is hidden even if it is an ordinary one', () => {
  const PROGRAMS = [
    'mysql',
    'curl',
    '/opt/backup.sh',
    'htpasswd -b',
    'echo',
    'php /srv/x.php',
    'sudo -u bob cmd',
  ];
  for (const program of PROGRAMS) {
    expect(maskCommand(`${program} summer sunshine >/dev/null`)).not.toMatch(/summer|sunshine/);
  }
});

test('what is glued to a flag is hidden even if it is a word', () => {
  expect(maskCommand('tar -psummer x; rm -psecret1')).toBe('tar -p… …; rm -p…');
});

describe.each([
  ['/srv/hooks/§/run.sh', '/srv/hooks/…'],
  ['/srv/x/dump-§.sql', '/srv/x/…'],
  ['https://§.example.com/cron.php', 'https://….example.com/…'],
  ['https://example.com/§/cron.php', 'https://example.com/…'],
  ['cmd --§', 'cmd …'],
  ['cmd --§=x', 'cmd …'],
  ['§=x cmd', '…'],
  ['§ x', '…'],
  ['wp §', 'wp …'],
  ['npm run §', 'npm …'],
])('in %s', (template, expected) => {
  test.each([
    '3f2b1c5e-1234-4a5b-8c9d-0123456789ab',
    'dGhpc2lzYXNlY3JldA',
    '9fceb02d0ae598e95dc970b74767f193',
  ])('the random %s is hidden', (secret) => {
    expect(maskCommand(template.replace('§', secret))).toBe(expected);
  });
});

test.each([
  ['curl https://hc-ping.com/3f2b1c5e-1234-4a5b-8c9d-0123456789ab', 'curl https://hc-ping.com/…'],
  ['curl https://hooks.slack.com/services/T024BE7LD/B024BE7LH/abc', 'curl https://hooks.slack.com/…'],
  ['curl https://api.telegram.org/bot12:AAx/sendMessage', 'curl https://api.telegram.org/…'],
  ['curl https://bob:geheim@example.com:8443/x.php?a=b', 'curl https://…@example.com:8443/…'],
  ['curl https://bob:ge/heim@example.com/x', 'curl https://…'],
])('%s shows its host', (command, masked) => {
  expect(maskCommand(command)).toBe(masked);
});

test.each([
  ['what crond hands over as input', 'mail -s x bob%Dear Bob%x; rm', 'mail -s …'],
  ['further lines', 'mysql <<EOF\nset x\nEOF\nrm -f /x', 'mysql <<… …'],
  ['comments', 'date # the pin; is', 'date …'],
  ['what stands behind an open quote', "cmd 'a; rm /etc/x", 'cmd …'],
  ['more than 500 characters', `cmd /srv/${'a/'.repeat(400)} && rm`, 'cmd …'],
  ['a path that is cut', `cmd ${'x '.repeat(30)}${' '.repeat(430)}/srv/secret.word`, 'cmd …'],
  ['more than 60 words', 'cd /x && '.repeat(30) + 'date', `${'cd /x && '.repeat(30)}…`.trim()],
  ['control characters', 'cmd /srv/\u001b[2J/x', 'cmd /srv/…'],
  ['letters that look like others', 'cmd /srv/\u0430/x \u2010\u2010force', 'cmd /srv/… …'],
  ['marks of direction', 'cmd /srv/\u202ex', 'cmd /srv/…'],
])('%s are hidden', (_name, command, masked) => {
  expect(maskCommand(command)).toBe(masked);
});

test('what is shown is printable ASCII and the mark of what is hidden, whatever the input', () => {
  const random = pseudoRandom(11);
  for (let round = 0; round < 5_000; round++) {
    const command = Array.from({ length: random(60) }, () =>
      String.fromCharCode(random(8) ? random(128) : random(65_536)),
    );
    expect(maskCommand(command.join('').trim())).toMatch(/^[ -~\t…]*$/);
  }
});

const HOSTILE = [
  "'a-H a: a:",
  'a ',
  'a',
  '/',
  '"',
  "'",
  '\\',
  '$(',
  '${',
  '`',
  '((',
  '…',
  "sh -c 'a' ",
  'cd /x;',
  'a&',
  '>',
  '0 ',
  'sudo ',
  '?&',
  '+%F',
  '…/',
  '1-1,',
];

const USUAL = "cd /srv/www && php -q cron.php --mode=fast >> 'log.txt' 2>&1; ".repeat(8);

test.each(HOSTILE)('a long row of %j takes less than fifty times as long as a usual row', (piece) => {
  expect(maskingTime(piece.repeat(4096 / piece.length))).toBeLessThan(50 * maskingTime(USUAL));
});

/** The shortest time of a few tries, in milliseconds: other work on the machine only adds to it. */
function maskingTime(command: string): number {
  const tries = Array.from({ length: 5 }, () => {
    const begun = performance.now();
    for (let row = 0; row < 20; row++) maskCommand(command);
    return performance.now() - begun;
  });
  return Math.min(...tries);
}
