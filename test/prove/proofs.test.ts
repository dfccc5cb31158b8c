import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from '../mutants/mutants';
import { proofs } from './proofs';

const ROOT = join(__dirname, '..', '..');

describe('The table of proofs', () => {
  test.each(proofs.map((proof) => [proof.name, proof] as const))(
    'names files that exist and at least one fault for "%s"',
    (_name, { files, plants }) => {
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
      expect(plants.length).toBeGreaterThan(0);
      const known = mutants.map(({ name }) => name);
      expect(plants.filter((plant) => !known.includes(plant))).toEqual([]);
    },
  );

  test('ends with the proof that searches what all others received', () => {
    expect(proofs.at(-1)?.files).toContain('test/prove/secrets');
  });

  test('has every test file of its folder', () => {
    const own = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.test.ts') && name !== 'proofs.test.ts',
    );
    const named = proofs.flatMap(({ files }) => files);
    const isNamed = (name: string) => named.some((file) => `test/prove/${name}`.startsWith(file));
    expect(own.filter((name) => !isNamed(name))).toEqual([]);
  });
});
