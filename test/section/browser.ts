import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { requireProgram } from '../servers/requireProgram';
import type { SectionPanel } from './sectionPanel';
import { SECTION } from './sectionPanel';

/** A browser with a profile of its own, in which an administrator is signed in. */
export interface TestBrowser {
  readonly context: BrowserContext;
  /** Where everything is that the browser keeps. */
  readonly profile: string;
  /** Opens a page of the section. */
  open(path: string): Promise<Page>;
  /** What the pages complained of: errors of scripts, and what their policy refused. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function startBrowser(
  section: SectionPanel,
  options: BrowserContextOptions & Pick<LaunchOptions, 'ignoreDefaultArgs'> = {},
): Promise<TestBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'panel-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? requireProgram('chromium', 'chromium'),
    // Its sandbox refuses to be started by root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...options,
  });
  await context.addCookies([{ name: 'admin', value: 'ann', url: section.panel.url }]);
  const complaints: string[] = [];
  context.on('page', (page) => {
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // Browsers ask every site for its icon, and the panel of the tests has none.
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) complaints.push(message.text());
    });
  });
  return {
    context,
    profile,
    complaints,
    async open(path) {
      const page = await context.newPage();
      await page.goto(`${section.panel.url}${SECTION}/${path}`);
      return page;
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
