import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBrowserWithProfile } from '../fixture/section/browser';
import { SECTION, startSectionPanel } from '../fixture/section/sectionPanel';

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])(
  '%s, a created token is gone after a reload, by the back button and from the profile',
  async (_how, javaScriptEnabled) => {
    const section = await startSectionPanel('sqlite');
    const browser = await startBrowserWithProfile(section, { javaScriptEnabled });
    const page = await browser.context.newPage();
    await page.goto(`${section.panel.url}${SECTION}/tokens/review?name=Once&scope=*`);
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(page.url()).not.toContain(token);
    const created = (await section.panel.api.tokens.list()).length;
    await page.reload();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('link', { name: 'Tokens' }).first().click();
    await page.goBack().catch(() => null);
    expect(await page.content()).not.toContain(token);
    await page.goForward().catch(() => null);
    expect(await page.content()).not.toContain(token);
    expect((await section.panel.api.tokens.list()).length).toBe(created);
    await page.close();
    expect(await filesWith(browser.profile, token)).toEqual([]);
    expect(JSON.stringify(section.panel.log)).not.toContain(token);
  },
);

/** The files below the folder that hold the text, in UTF-8 or in UTF-16. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      return bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')) ? [file] : [];
    }),
  );
  return found.flat();
}
