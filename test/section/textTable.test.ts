import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditActions } from '../../lib/audit/AuditLog';
import { actionText, placeholdersOf, type Text } from '../../lib/audit/auditTexts';
import { englishTexts, ownLanguages } from '../../section/texts';

const ROOT = join(__dirname, '../..');

/** The TypeScript of both sections without their texts, and without comments. */
const sources = ['section', 'account-section']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.ts') && (!name.includes('/texts/') || name.endsWith('Texts.ts')))
  .concat('lib/audit/auditTexts.ts')
  .map((name) => readFileSync(join(ROOT, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, ''));

const literal = (text: string) => text.replace(/\W/g, '\\$&');

test('Every text of the section is used', () => {
  const all = sources.join('\n');
  const actions = auditActions.map((action) => `'${actionText(action)}'`);
  const names = new Set([...actions, ...(all.match(/'[\w.]+'/g) ?? [])]);
  const patterns = [...new Set(all.match(/`[\w.]*\$\{[^`]*?\}[\w.]*`/g))].map((template) => {
    const fixed = template.slice(1, -1).split(/\$\{.*\}/);
    return new RegExp(`^${fixed.map(literal).join('(?:[^.]+|[a-z]+\\.read)')}$`);
  });
  const isNamed = (key: string) => names.has(`'${key}'`) || patterns.some((pattern) => pattern.test(key));
  // What a customer reads in place of another text.
  const isUsed = (key: string) => isNamed(key.replace(/^customer\./, ''));
  expect(names.size).toBeGreaterThan(actions.length);
  expect(Object.keys(englishTexts).filter((key) => !isUsed(key))).toEqual([]);
});

test('Every word of a page is from the table of texts', () => {
  const written = sources.flatMap((source) => [
    ...(source.match(
      /(?<=<(?!code|textarea)[^<>]*>)[^<>$`{}=;()|?]*\p{L}{2}[^<>$`{}=;()|?]*(?=<\/|\$\{|`)/gu,
    ) ?? []),
    ...(source.match(/\b(?:title|aria-label|placeholder|alt)="[^"$]*\p{L}[^"]*"/gu) ?? []),
  ]);
  expect(written).toEqual([]);
});

test('Every call of a text fills its placeholders', () => {
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/\.(?:text|words)\(\s*'([\w.-]+)'(?:,\s*(\{[^{}]*\}|\w+))?,?\s*\)/g),
  ]);
  expect(calls.length).toBeGreaterThan(100);
  const english: Readonly<Record<string, Text>> = englishTexts;
  const unfilled = calls.filter(([, key = '', values = '']) =>
    [...placeholdersOf(english[key] ?? '')].some(
      (name) =>
        values === '' || (values.startsWith('{') && !new RegExp(`\\b${name}\\b|\\.\\.\\.`).test(values)),
    ),
  );
  expect(unfilled.map(([call]) => call)).toEqual([]);
});

describe.each(Object.entries(ownLanguages))('The texts in %s', (_language, texts) => {
  const keys = Object.keys(englishTexts) as (keyof typeof englishTexts)[];

  test('are complete, and none is left over', () => {
    expect(Object.keys(texts).toSorted()).toEqual(keys.toSorted());
  });

  // The sentence about a wrong value may be the module's own.
  test('have the placeholders of the English ones', () => {
    const names = (text: Text) => [...placeholdersOf(text)].toSorted().join();
    const checked = keys.filter((key) => !key.startsWith('invalid.'));
    expect(checked.filter((key) => names(texts[key]!) !== names(englishTexts[key]))).toEqual([]);
  });
});
