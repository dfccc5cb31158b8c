import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import load from '../../../../demo/ispconfig/load';
import ispconfigSources from '../../../../demo/ispconfig/sources';
import type { Sources } from '../../../../index';
import { checkSources } from '../../../fixture/command/checkSources';
import { type Engine, freshDatabase } from '../../../fixture/databases';
import { nodePanelSources } from '../../../fixture/nodePanel/sources';
import { loadNodePanel } from '../../../fixture/nodePanel/tables';
import { ISPCONFIG_MISTAKES } from './ispconfig';
import type { Mistake } from './Mistake';
import { NODE_MISTAKES } from './nodePanel';

// What `check` says of each mistake and, of those that it does not name, why. `RENEW=1` records it again.
const FILE = join(__dirname, 'found.txt');
const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
const found = new Map<string, string>();
const recorded = process.env.RENEW
  ? found
  : new Map(lines.map((line) => line.split(' => ') as [title: string, texts: string]));

/** How many mistakes may stay silent: a change of the rules must not lose one. */
const MOST_SILENT = 32;

interface Panel {
  readonly name: string;
  readonly engine: Engine;
  readonly load: (knex: Knex) => Promise<void>;
  readonly sources: (knex: Knex) => Sources;
  readonly mistakes: readonly Mistake[];
}

const PANELS: readonly Panel[] = [
  {
    name: 'the Node panel',
    engine: 'postgresql',
    load: loadNodePanel,
    sources: () => nodePanelSources,
    mistakes: NODE_MISTAKES,
  },
  { name: 'ISPConfig', engine: 'mariadb', load, sources: ispconfigSources, mistakes: ISPCONFIG_MISTAKES },
];

const titleOf = (panel: string, { at, what }: Mistake) => `${panel}, ${at}: ${what}`;

/** Returns the sources with a mistake. */
function planted(right: Sources, { at, wrong }: Mistake): Sources {
  const [list = '', ...rest] = at.split('.');
  const name = rest.find((one) => !/^\d$/.test(one));
  const part = Number(rest.find((one) => /^\d$/.test(one)) ?? 0);
  const parts = [(right as Readonly<Record<string, unknown>>)[list]].flat();
  const changed = parts.map((source, index) => {
    const { fields, ...others } = source as { fields: object };
    if (index !== part) return source;
    return name === undefined
      ? { fields, ...others, ...(wrong as object) }
      : { ...others, fields: { ...fields, [name]: wrong } };
  });
  return { ...right, [list]: changed.length === 1 ? changed[0] : changed } as Sources;
}

/** The findings of a check, and whether one of them names the field or the mistake. */
async function check(knex: Knex, sources: Sources, { at, also = [] }: Mistake) {
  const [list, ...rest] = at.split('.');
  const name = rest.find((one) => !/^\d$/.test(one));
  const lists = await checkSources({ db: knex, sources }).catch((error: Error) => error);
  if (lists instanceof Error)
    return {
      isNamed: lists.message.includes(`sources.${list}.fields.${name} `),
      texts: [`${list}.${name} is refused at the mount`],
    };
  const all = lists.flatMap(({ resource, warnings, missing }) => [
    ...warnings.map((one) => ({ ...one, resource, text: `${resource}.${one.field} ${one.code}` })),
    ...missing.map((sentence) => ({ sentence, resource, text: `${resource} missing` })),
  ]);
  const isNamed = all.some(
    ({ resource, sentence, text }) =>
      also.includes(text) || (resource === list && name !== undefined && sentence.includes(` ${name} `)),
  );
  return { isNamed, texts: [...new Set(all.map(({ text }) => text))].toSorted() };
}

describe.each(PANELS)(
  'A mistake in the mapping of $name',
  ({ name: panel, engine, load, sources, mistakes }) => {
    let knex: Knex;

    beforeAll(async () => {
      knex = (await freshDatabase(engine)).knex;
      await load(knex);
    });

    test.each(mistakes)('$at: $what', async (mistake) => {
      const title = titleOf(panel, mistake);
      const { isNamed, texts } = await check(knex, planted(sources(knex), mistake), mistake);
      found.set(title, (isNamed ? texts : [...texts, `silent: ${mistake.ifSilent}`]).join('; '));
      expect(found.get(title)).toBe(recorded.get(title));
    });
  },
);

if (process.env.RENEW)
  test('What is said of each mistake is recorded', () => {
    const texts = [...found].map((line) => `${line.join(' => ')}\n`);
    writeFileSync(FILE, texts.join(''));
  });

test('Each mistake is recorded, and those that stay silent are few and have a reason', () => {
  const titles = PANELS.flatMap(({ name, mistakes }) => mistakes.map((mistake) => titleOf(name, mistake)));
  expect([...recorded.keys()]).toEqual(titles);
  const silent = [...recorded.values()].filter((texts) => texts.includes('silent: '));
  expect(silent.filter((texts) => texts.endsWith('silent: undefined'))).toEqual([]);
  expect(silent.length).toBeLessThanOrEqual(MOST_SILENT);
});

test('The page on checks names the code of each finding', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/how-to/check-sources.md'), 'utf8');
  const texts = [...recorded.values()].join('; ').split('; ');
  const codes = new Set(texts.flatMap((text) => /^\w+\.\w+ (\w+)$/.exec(text)?.[1] ?? []));
  expect([...codes].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  expect(codes.size).toBeGreaterThan(30);
});
