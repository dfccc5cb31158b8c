import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locate } from './anchors';
import { equivalent } from './equivalent';
import { mutants } from './mutants';

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'the mutant "%s" has one place in the source and one test',
  (_name, mutant) => {
    expect(() => locate(mutant)).not.toThrow();
  },
);

test('no two mutants have the same name', () => {
  const names = mutants.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('each equivalent mutant names a line of the source', () => {
  const linesOf = (file: string) =>
    readFileSync(join(__dirname, '..', '..', file), 'utf8')
      .split('\n')
      .map((line) => line.trim());
  const gone = equivalent.filter(
    ({ file, line }: { file: string; line: string }) => !linesOf(file).includes(line),
  );
  expect(gone).toEqual([]);
});
