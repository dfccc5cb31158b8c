import { createApiSection } from '../../index';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

describe('The texts of the API section', () => {
  let section: SectionPanel;

  const mount = (languages: object) => () =>
    createApiSection({ api: section.panel.api, authorize: () => 'ann', languages: languages as never });
  const get = (path: string, language = '') =>
    section.get(path, { headers: { 'Accept-Language': language } });

  beforeAll(async () => {
    section = await startSectionPanel(
      'sqlite',
      {},
      {
        languages: {
          en: {},
          'de-AT': { 'frame.signed_in': 'Servus, {actor}' },
          nl: { 'frame.navigation': 'Koppeling', 'failure.not_found': { other: 'Niet gevonden.' } },
        },
      },
    );
  });

  test('are in the offered language that the browser prefers', async () => {
    const { text } = await get('tokens/999', 'nl-BE, en;q=0.5');
    expect(text).toContain('<html lang="nl">');
    expect(text).toContain('<nav aria-label="Koppeling">');
    expect(text).toContain('Niet gevonden.');
    expect((await get('tokens', 'de-AT')).text).toContain('Servus, ann');
    expect((await get('tokens', 'de')).text).toContain('Servus, ann');
  });

  test('are in the first language that is offered, if the browser prefers none of them', async () => {
    for (const language of ['', 'fr', '*'])
      expect((await get('tokens', language)).text).toContain('<html lang="en">');
  });

  test('are those of the module for its own languages, and English where there is none', async () => {
    expect((await get('tokens', 'de-AT')).text).toContain('Zum Inhalt springen');
    expect((await get('tokens', 'nl')).text).toContain('Skip to the content');
  });

  test.each([
    ['an unknown key', { en: { 'frame.nothing': 'x' } }, 'has no text frame.nothing'],
    [
      'a number',
      { en: { 'frame.skip': 1 } },
      'must have a string or an object of plural forms as frame.skip',
    ],
    ['a wrong plural form', { en: { 'frame.skip': { other: 'x', all: 'y' } } }, 'must have a string or'],
    ['no form for other counts', { en: { 'frame.skip': { one: 'x' } } }, 'must have a string or'],
    [
      'a placeholder that is not filled',
      { en: { 'frame.skip': 'To {page}' } },
      'has an unknown placeholder {page}',
    ],
    ['a wrong language', { 'not a language': {} }, 'must have a language such as en'],
    ['no texts', { de: null }, 'must have an object of texts as de'],
    ['no language', {}, 'must offer one'],
  ])('are refused at the mount with %s', (_what, languages, why) => {
    expect(mount(languages)).toThrow(why);
    expect(mount(languages)).toThrow(TypeError);
  });
});
