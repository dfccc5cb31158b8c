import { describeEachEngine, type Engine } from '../../fixture/databases';
import { type ListPanel, startListPanel } from '../../fixture/listPanel';

type Stored = readonly [text: string, members: readonly string[]];

/** JSON values, and the members of each: none if it is no list of texts. */
const VALUES: readonly Stored[] = [
  ['null', []],
  ['true', []],
  ['false', []],
  ['{}', []],
  ['{"a":"b"}', []],
  ['{"0":"a","length":1}', []],
  ['[]', []],
  ['["a.example","b.example"]', ['a.example', 'b.example']],
  ['[" a ","","b"]', ['a', 'b']],
  ['["a, b"]', ['a, b']],
  ['["müller","\\u00fc"]', ['müller', 'ü']],
  ['[null,"a",null]', ['a']],
  ['[true,false,"a"]', ['a']],
  ['[{},{"a":1},"a"]', ['a']],
  ['[[],["b"],"a"]', ['a']],
  ['[1,-2,1.5,"a"]', ['1', '-2', '1.5', 'a']],
  ['["null","{}"]', ['null', '{}']],
  ['""', []],
  ['"a"', ['a']],
  ['"a, b"', ['a', 'b']],
  ['1000023', ['1000023']],
  ['1.5', ['1.5']],
];

/** Texts that are no JSON, though some begin as if they were. */
const TEXTS: readonly Stored[] = [
  ['a, b;c|d e', ['a', 'b', 'c', 'd', 'e']],
  ['nullify', ['nullify']],
  ['null.example,b', ['null.example', 'b']],
  ['[2001:db8::1]:80', ['[2001:db8::1]:80']],
  ['"a","b"', ['"a"', '"b"']],
  ['{a', ['{a']],
  ['007', ['007']],
  ['', []],
];

/** Types of columns that may contain JSON. */
const TYPES: Readonly<Record<Engine, readonly string[]>> = {
  mariadb: ['text', 'json', 'blob'],
  postgresql: ['text', 'json', 'jsonb'],
  sqlite: ['text', 'json', 'blob', ''],
};

const valuesOf = (type: string) => (type.startsWith('json') ? VALUES : [...VALUES, ...TEXTS]);

describeEachEngine('A list of texts', (engine) => {
  describe.each(TYPES[engine])('in a column of the type "%s"', (type) => {
    let list: ListPanel;

    beforeAll(async () => {
      list = await startListPanel(engine, async (knex) => {
        await knex.raw(`create table websites
            (id integer primary key, domain varchar(9), status varchar(9), aliases ${type})`);
        const isBinary = type === 'blob';
        for (const [index, [text]] of valuesOf(type).entries()) {
          const aliases = isBinary ? Buffer.from(text) : text;
          await knex('websites').insert({ id: index, domain: 'a.example', aliases });
        }
        await knex('websites').insert({ id: 99, domain: 'a.example', aliases: null });
      });
    });

    test('has the texts and numbers of JSON, and of any other text what is between separators', async () => {
      const items = await list.items('websites.php');
      const expected = [...valuesOf(type).map(([, members]) => members), []];
      expect(items.map(({ aliases }) => aliases)).toEqual(expected);
    });
  });

  test('that is separated by a text of its own has no members in JSON that is no list', async () => {
    const list = await startListPanel(
      engine,
      async (knex) => {
        await knex.schema.createTable('websites', (table) => {
          table.integer('id').primary();
          for (const name of ['domain', 'status', 'aliases']) table.string(name);
        });
        for (const [id, aliases] of ['a/b c', 'null', '{}', '["a/b"]', null].entries())
          await knex('websites').insert({ id, domain: 'a.example', status: 'active', aliases });
      },
      { websites: { fields: { aliases: { separator: '/' } } } },
    );
    const items = await list.items('websites.php');
    expect(items.map(({ aliases }) => aliases)).toEqual([['a', 'b c'], [], [], ['a/b'], []]);
  });
});

test('A function that returns a list with other values than texts and numbers leaves them out', async () => {
  const aliases = ['a', 7, null, true, {}, ['b'], ''];
  const rows = [aliases, {}, true, 'null', null].map((value, id) => ({
    id,
    domain: 'a.example',
    status: 'active',
    aliases: value,
  }));
  const list = await startListPanel('sqlite', async () => {}, {
    websites: { rows: () => rows as never, fields: ['id', 'domain', 'status', 'aliases'], ids: 'integer' },
  });
  const items = await list.items('websites.php');
  expect(items.map(({ aliases }) => aliases)).toEqual([['a', '7'], [], [], [], []]);
});
