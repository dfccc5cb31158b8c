import { examples } from '../../bin/examples';
import { createProgram } from '../../bin/main';
import { memoryTerminal } from '../fixture/command/memoryTerminal';
import { commandNames } from '../fixture/referenceTables/command';

test('the help of every command has examples', () => {
  expect(Object.keys(examples).toSorted()).toEqual(commandNames.toSorted());
});

const { texts, ...others } = examples;

test.each(texts ?? [])('panel-api %s needs no database', async (example) => {
  const { terminal, written } = memoryTerminal();
  await createProgram(terminal).parseAsync(example.replace(/ > .*/, '').split(' '), { from: 'user' });
  expect(JSON.parse(written.stdout)).toMatchObject({ 'nav.tokens': 'Tokens' });
});

test.each(Object.values(others).flat())('panel-api %s is understood', async (example) => {
  const words = [...example.replace(/ > .*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  // Without a database: the first failure after the words were understood.
  const failure = await createProgram(memoryTerminal().terminal)
    .parseAsync([...words, '--database', 'no-scheme://x', '--config', 'none.js'], { from: 'user' })
    .catch((error) => error);
  expect(String(failure)).toMatch(/Remove --database and --table-prefix|confirm it with --yes/);
});
