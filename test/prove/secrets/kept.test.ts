import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HASHES } from '../../fixture/kept';
import { figure } from '../figure';
import { KnownHashes, secretsIn } from './keptSearch';

/** What the other file of this folder receives. A host has a file of its own. */
const KINDS = ['answers', 'commands', 'errors', 'host', 'log', 'pages'];

test('Nothing that the proofs of this run received from panels holds a token or the hash of one', async () => {
  const own = process.env.PROVE_KEPT;
  if (own === undefined) throw new Error('PROVE_KEPT is not set: npm run prove runs this test.');
  const kinds = readdirSync(own).map((file) => file.replace(/ \d+$/, ''));
  expect([...new Set(kinds)].toSorted()).toEqual([...KINDS, HASHES].toSorted());
  const proofs = readdirSync(dirname(own)).map((proof) => join(dirname(own), proof));
  const hashes = new KnownHashes(proofs.flatMap(hashesIn));
  const shown: Record<string, object> = {};
  let searched = 0;
  for (const proof of proofs) {
    const before = searched;
    for (const file of readdirSync(proof).filter((name) => name !== HASHES)) {
      const path = join(proof, file);
      const pieces = createReadStream(path, { encoding: 'utf8', highWaterMark: 1_000_000 });
      const { characters, found } = await secretsIn(pieces, hashes);
      searched += characters;
      if (found.size > 0) shown[path] = Object.fromEntries(found);
    }
    // Every proof asks panels.
    expect({ proof, isKept: searched > before }).toEqual({ proof, isKept: true });
  }
  figure(
    'received by all proofs: proofs, characters searched, tokens whose hashes are known',
    `${proofs.length}, ${searched}, ${hashes.size}`,
  );
  expect(shown).toEqual({});
});

function hashesIn(proof: string): readonly string[] {
  if (!readdirSync(proof).includes(HASHES)) return [];
  return readFileSync(join(proof, HASHES), 'utf8').trimEnd().split('\n');
}
