import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
/** The compiler of TypeScript. */
export const TSC = join(ROOT, 'node_modules/.bin/tsc');

/** A fenced block of a page. */
export interface Block {
  /** Its words after the backticks: `sh`, `js panel.js`, `sh server`. */
  readonly language: string;
  readonly info: string;
  readonly text: string;
  /** Its first line in the page. */
  readonly line: number;
  /** The reason why the tests do not run it. */
  readonly notRun?: string;
}

/** The languages of a block whose second word is a file's name. */
export const FILES = /^\S+\.\w+$/;

/** The words of a shell block that is run with its page. */
export const SHELL = /^sh( server| fails)?$/;

const FENCE = /^ *```(.*)$/;
const NOT_RUN = /^ *<!-- not run: (.+) -->$/;

/** A page of the documentation, by its path in the repository. */
export class Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(ROOT, path), 'utf8');
    this.blocks = blocksOf(this.text);
  }

  /** The page without its blocks and its code spans. */
  get prose(): string {
    return this.text
      .replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''))
      .replace(/`[^`\n]*`/g, '``');
  }

  /** The anchors of its headings, as GitHub and npm form them. */
  get anchors(): readonly string[] {
    const seen = new Map<string, number>();
    const text = this.text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
    return [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
      const anchor = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    });
  }

  /** Whether it starts in an empty directory and installs the module itself. */
  get isTutorial(): boolean {
    return this.path === 'README.md' || this.path.startsWith('docs/tutorials/');
  }
}

/** The pages of the published package. */
export function shippedPages(): readonly Page[] {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
  const beside = files.filter((file) => /^[^!].*\.md$/.test(file));
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .filter((file) => !files.includes(`!${file}`));
  return ['README.md', ...beside, ...docs.toSorted()].map((path) => new Page(path));
}

/** The shipped pages and those of the repository alone. */
export function allPages(): readonly Page[] {
  const inRepository = [
    'CONTRIBUTING.md',
    'docs/explanation/architecture.md',
    'demo/README.md',
    'demo/ispconfig/README.md',
    'bench/README.md',
  ];
  return [...shippedPages(), ...inRepository.map((path) => new Page(path))];
}

function blocksOf(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const info = FENCE.exec(lines[index] ?? '')?.[1]?.trim();
    if (info === undefined) continue;
    const start = index + 1;
    do index += 1;
    while (index < lines.length && !FENCE.test(lines[index] ?? ''));
    const notRun = NOT_RUN.exec(lines[start - 2] ?? '')?.[1];
    blocks.push({
      language: info.split(' ')[0] ?? '',
      info,
      text: `${lines.slice(start, index).join('\n')}\n`,
      line: start,
      ...(notRun === undefined ? {} : { notRun }),
    });
  }
  return blocks;
}
