import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import en from '../../section/texts/en.json';

const DOCS = join(__dirname, '../../docs');

const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const labels = new Set<unknown>(Object.values(en));

/** The bold words within the sentences of paragraphs that mention the API section. */
const named = pages.flatMap((page) =>
  readFileSync(join(DOCS, page), 'utf8')
    .split(/\n\n/)
    .filter((paragraph) => /API\s+section/.test(paragraph))
    .flatMap((paragraph) => [...paragraph.matchAll(/(?<=[\w,] )\*\*([^*]+)\*\*/g)])
    .map(([, label = '']) => [page, label.replaceAll('\n', ' ')] as const),
);

test('every label of the API section that a page names in bold is one', () => {
  expect(named.length).toBeGreaterThanOrEqual(4);
  expect(named.filter(([, label]) => !labels.has(label))).toEqual([]);
});
