const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What only the publisher knows: each entry of `package.json`, and how to find whether it is filled in. */
const FIELDS = {
  author: ({ author }) => isText(author?.name ?? author),
  homepage: ({ homepage }) => isUrl(homepage),
  'repository.url': ({ repository }) => isUrl(repository?.url),
  'bugs.url': ({ bugs }) => isUrl(bugs?.url),
};

const isText = (value) => typeof value === 'string' && value.trim() !== '';
const isUrl = (value) => isText(value) && /^(?:git\+)?https:\/\/[^\s/]+\/?/.test(value);
const isContact = (text) => /\S@\S|https:\/\/\S/.test(text);

/** Returns what the publisher has not filled in yet in this folder of the module. */
function emptyFields(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const manifest = JSON.parse(read('package.json'));
  const [, contact = ''] = /<!-- contact -->([\s\S]*)<!-- \/contact -->/.exec(read('SECURITY.md')) ?? [];
  const empty = Object.keys(FIELDS).filter((name) => !FIELDS[name](manifest));
  return [
    ...empty.map((name) => `package.json: ${name}`),
    ...(isContact(contact) ? [] : ['SECURITY.md: the contact']),
  ];
}

const [, program, folder = join(__dirname, '..')] = process.argv;
if (program === __filename) {
  const empty = emptyFields(folder);
  for (const field of empty) console.error(`Fill in before a release: ${field}`);
  process.exitCode = empty.length > 0 ? 1 : 0;
}
