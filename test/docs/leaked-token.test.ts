import { newToken } from '../../lib/tokens/tokenFormat';
import { Page } from './Page';

const { text, blocks } = new Page('docs/how-to/leaked-token.md');

const token = newToken('pnl');

/** Texts that contain a token, and those that look like one but are none. */
const LEAKS = [
  token,
  `"${token}"`,
  `Authorization: Bearer ${token}\r`,
  `https://x/?key=${token}&y=1`,
  `TOKEN=${token}`,
];
const OTHERS = [`x${token}`, `${token}x`, `${token}_`, token.slice(0, -1), token.toUpperCase(), 'pnl_short'];

/** What the page's rule for gitleaks finds. Its syntax, RE2, is a part of that of JavaScript. */
function gitleaks(line: string): string | undefined {
  const rule = blocks.find(({ info }) => info === 'toml')?.text ?? '';
  const [, regex = ''] = /^regex = '''(.+)'''$/m.exec(rule) ?? [];
  expect(regex).not.toMatch(/\(\?[=!<]|\\\d/);
  const group = Number(/^secretGroup = (\d)$/m.exec(rule)?.[1]);
  const [, keyword = ''] = /^keywords = \["(.+)"\]$/m.exec(rule) ?? [];
  if (!line.toLowerCase().includes(keyword)) return undefined;
  return new RegExp(regex, 'm').exec(line)?.[group];
}

/** What GitHub finds with the page's custom pattern: \A and \z are the ends of the text. */
function github(line: string): string | undefined {
  const field = (name: string) =>
    (new RegExp(`^\\| ${name} \\| \`(.+)\` \\|$`, 'm').exec(text)?.[1] ?? '').replaceAll('\\|', '|');
  const before = field('Before secret').replace('\\A', '^');
  const after = field('After secret').replace('\\z', '$');
  return new RegExp(`(?:${before})(${field('Secret format')})(?:${after})`).exec(line)?.[1];
}

test.each([
  ['gitleaks', gitleaks],
  ['GitHub', github],
])('the rule for %s finds tokens, and nothing that only looks like one', (_scanner, find) => {
  for (const leak of LEAKS) expect([leak, find(leak)]).toEqual([leak, token]);
  for (const other of OTHERS) expect([other, find(other)]).toEqual([other, undefined]);
});
