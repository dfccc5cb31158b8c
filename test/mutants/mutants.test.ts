import { locate } from './anchors';
import { mutants } from './mutants';

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'the mutant "%s" has one place in the source and one test',
  (_name, mutant) => {
    expect(() => locate(mutant)).not.toThrow();
  },
);
