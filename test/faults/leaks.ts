// Parts of a secret give it away too; shorter ones come about by chance.
const SHORTEST_PART = 16;

/** The secrets of which the text holds a part that tells, in whatever form one may come to be printed. */
export function leaks(text: string, secrets: Readonly<Record<string, Buffer>>): readonly string[] {
  const found = [text, text.toLowerCase()];
  return Object.keys(secrets).filter((name) =>
    formsOf(secrets[name]!).some((form) =>
      parts(form).some((part) => found.some((seen) => seen.includes(part))),
    ),
  );
}

function formsOf(secret: Buffer): readonly string[] {
  const text = secret.toString('latin1');
  const hex = secret.toString('hex');
  return [
    text,
    secret.toString('utf8'),
    hex,
    hex.replace(/..(?=.)/g, '$& '),
    [...secret].join(','),
    [...secret].join(', '),
    secret.toString('base64'),
    secret.toString('base64url'),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(secret.toString('utf8')).slice(1, -1),
    encodeURIComponent(text),
    [...text].reverse().join(''),
  ];
}

function parts(form: string): readonly string[] {
  const places = Math.max(1, form.length - SHORTEST_PART + 1);
  return Array.from({ length: places }, (_, place) => form.slice(place, place + SHORTEST_PART));
}
