import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HASHES } from '../../fixture/kept';
import { figure } from '../figure';
import { KnownHashes, secretsIn } from './keptSearch';

/** What is received by each run, at least by the other file of this folder. A host has a file of its own. */
const KINDS = ['answers', 'commands', 'errors', 'host', 'log', 'pages'];

test('Nothing that the proofs of this run received from panels holds a token or the hash of one', async () => {
  const directory = process.env.PROVE_KEPT;
  if (directory === undefined) throw new Error('PROVE_KEPT is not set: npm run prove runs this test.');
  const files = readdirSync(directory).filter((file) => file !== HASHES);
  expect([...new Set(files.map((file) => file.replace(/ \d+$/, '')))].toSorted()).toEqual(KINDS);
  const hashes = new KnownHashes(readFileSync(join(directory, HASHES), 'utf8').trimEnd().split('\n'));
  const shown: Record<string, object> = {};
  let searched = 0;
  for (const file of files) {
    const pieces = createReadStream(join(directory, file), { encoding: 'utf8', highWaterMark: 1_000_000 });
    const { characters, found } = await secretsIn(pieces, hashes);
    expect(characters).toBeGreaterThan(0);
    searched += characters;
    if (found.size > 0) shown[file] = Object.fromEntries(found);
  }
  figure(
    'received by all proofs: files, characters searched, tokens whose hashes are known',
    `${files.length}, ${searched}, ${hashes.size}`,
  );
  expect(shown).toEqual({});
});
