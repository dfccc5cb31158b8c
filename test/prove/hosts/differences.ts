import type { Arrangement } from '../../steps/hosts/arrangements.cjs';

/** A request to a panel. */
export interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** The panel's answer. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Where the panel mounts the section. */
export const SECTION = '/admin/api';
/** Endpoints that measure, and those whose answers depend on the time or the path of the mount. */
const MEASURED = /^(?:health|server-health|services|release-audit)$/;
const MOVING = /^(?:health|server-health|services|release-audit|me|openapi|cron)$/;
const OF_BODY = ['content-length', 'etag'];

/** Headers that differ from one request to the next. */
const VOLATILE = ['date', 'ratelimit', 'retry-after'];

/** How an answer in an arrangement differs from the one alone, beyond what the arrangement may add and change. */
export function differences(
  alone: Seen,
  arranged: Seen,
  { path }: Sent,
  { prefix = '', adds = [], changes = [] }: Arrangement,
): readonly string[] {
  const [name = ''] = /[a-z-]+(?=\.php)/.exec(path) ?? [];
  const may = new Set([...VOLATILE, ...changes, ...(MOVING.test(name) || isPage(path) ? OF_BODY : [])]);
  const headers = [...new Set([...alone.headers.keys(), ...arranged.headers.keys()])].filter((header) => {
    const [own, after] = [alone.headers.get(header), arranged.headers.get(header)];
    const before = header === 'link' ? (own?.replace('<', `<${prefix}`) ?? null) : own;
    return before !== after && !may.has(header) && !(before === null && adds.includes(header));
  });
  const [expected, text] = [below(prefix, name, alone.text), arranged.text].map((told) =>
    withoutNumbers(path, lastingText(MEASURED.test(name) ? shapeOf(told) : told)),
  ) as [string, string];
  const at = [...expected].findIndex((letter, index) => letter !== text[index]);
  return [
    ...(alone.status === arranged.status ? [] : [`${alone.status} became ${arranged.status}`]),
    ...headers.map(
      (header) => `${header}: ${alone.headers.get(header)} became ${arranged.headers.get(header)}`,
    ),
    ...(expected === text
      ? []
      : [`${expected.slice(at - 20, at + 80)} became ${text.slice(at - 20, at + 80)}`]),
  ];
}

/** The answer as it must be if the API is mounted below a prefix. */
function below(prefix: string, name: string, text: string): string {
  if (prefix === '') return text;
  if (name === 'me') return text.replaceAll('"path":"', `"path":"${prefix}`);
  return name === 'openapi' ? text.replace('"url":"/"', `"url":"${prefix}"`) : text;
}

/** The text without what differs from one request to the next. */
const lastingText = (text: string) =>
  text
    .replace(/"(timestamp|last_used_at|resets_at|next_run_at)":"[^"]*"/g, '"$1":"TIME"')
    .replace(/\d+ seconds|"(?:remaining|retry_after)":\d+/g, 'NUMBER')
    .replace(/(<input type="hidden" name="form[^"]*" value=")[^"]*/g, '$1');

/** The pages of the section count the requests, of which the overview consists, and say how long ago something was. */
const withoutNumbers = (path: string, text: string) =>
  isPage(path)
    ? text
        .replace(/<div class="cards overview">[\s\S]*<\/main>/, '')
        .replace(/<time [^>]*>[^<]*/g, '<time>')
        .replace(/<span class="none">(\d+)<\/span>/g, '$1')
        .replace(/\d[\d,]*/g, '0')
    : text;

const isPage = (path: string) => path.startsWith(SECTION) && !path.includes('assets');

/** The text with measured values replaced by their types. */
const shapeOf = (text: string) =>
  text === ''
    ? ''
    : JSON.stringify(JSON.parse(text), (_name, value) => (typeof value === 'object' ? value : typeof value));
