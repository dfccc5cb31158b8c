import { locate } from './anchors';
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
