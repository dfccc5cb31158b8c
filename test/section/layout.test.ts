import { type SectionPanel, startSectionPanel, wordsOf } from '../fixture/section/sectionPanel';

describe("The section's own frame", () => {
  let section: SectionPanel;

  beforeAll(async () => {
    section = await startSectionPanel('sqlite', {}, { panelName: 'Example', back: '/home' });
  });

  const currentEntry = async (path: string) =>
    /aria-current="(\w+)">([^<]*)</.exec((await section.get(path)).text)?.slice(1);

  test('names the page in the navigation, and the entry that a page below it belongs to', async () => {
    expect(await currentEntry('')).toEqual(['page', 'Overview']);
    expect(await currentEntry('settings')).toEqual(['page', 'Settings']);
    expect(await currentEntry('tokens/new')).toEqual(['true', 'Tokens']);
  });

  test('begins with a link to the content, and leads back to the panel', async () => {
    const { text } = await section.get('');
    const [first] = text.split('<body')[1]?.match(/<a [^>]*>/) ?? [];
    expect(first).toContain('href="#api-section-main"');
    expect(text).toContain('<main id="api-section-main" tabindex="-1">');
    expect(text).toContain('<a href="/home">Example</a>');
  });

  test('says in which zone the times are', async () => {
    const { text } = await section.get('');
    expect(wordsOf(text)).toContain('All times and days are UTC.');
    expect(text).toContain('data-zone="Times are in your time zone ({zone}). Days are UTC."');
  });
});
