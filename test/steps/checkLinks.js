const { existsSync, mkdirSync, readdirSync, readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { runCommand } = require('../runCommand');

/**
 * Throws unless every link of the packed Markdown files leads to a packed file. Anchors are the same in the repository,
 * where `test/docs` checks them.
 */
async function checkLinks(tarball, directory) {
  const folder = join(directory, 'unpacked');
  mkdirSync(folder);
  await runCommand('tar', ['--extract', '--strip-components=1', '--file', tarball, '--directory', folder]);
  const pages = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'));
  const broken = pages.flatMap((page) => brokenLinks(folder, page));
  if (broken.length > 0) throw new Error(`These links do not work in the package:\n${broken.join('\n')}`);
}

function brokenLinks(folder, page) {
  return linksOf(readFileSync(join(folder, page), 'utf8'))
    .filter((link) => {
      const [path] = link.split('#');
      const target = path === '' ? join(folder, page) : join(folder, dirname(page), path);
      return relative(folder, target).startsWith('..') || !existsSync(target);
    })
    .map((link) => `${page}: ${link}`);
}

/**
 * The targets of the links and pictures of a page that are no addresses of other sites. The pictures of the README are not
 * in the package: npm shows them from the repository, where `test/docs` checks them.
 */
function linksOf(text) {
  const prose = text
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/!\[[^\]]*\]\(docs\/[\w-]+\.png\)/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^(https?|mailto):/.test(link));
}

module.exports = { checkLinks };
