import { createApiSection } from '../../index';
import { type SectionPanel, startSectionPanel } from '../fixture/section/sectionPanel';

describe('The texts of the API section', () => {
  let section: SectionPanel;

  const mount = (texts: object) => () =>
    createApiSection({ api: section.panel.api, authorize: () => 'ann', texts });

  beforeAll(async () => {
    section = await startSectionPanel(
      'sqlite',
      {},
      {
        texts: {
          language: 'de',
          'frame.navigation': 'Schnittstelle',
          'frame.signed_in': 'Angemeldet: {actor}',
          'failure.not_found': { other: 'Diese Seite gibt es nicht.' },
        },
      },
    );
  });

  test('are the panel’s, if it passes them, and name their language', async () => {
    const { text } = await section.get('tokens/999');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('<nav aria-label="Schnittstelle">');
    expect(text).toContain('Angemeldet: ann');
    expect(text).toContain('Diese Seite gibt es nicht.');
  });

  test('are English, where the panel passes none', async () => {
    expect((await section.get('tokens')).text).toContain('Skip to the content');
  });

  test.each([
    ['an unknown key', { 'frame.nothing': 'x' }, 'has no text frame.nothing'],
    ['a number', { 'frame.skip': 1 }, 'must have a string or an object of plural forms as frame.skip'],
    ['a wrong plural form', { 'frame.skip': { other: 'x', all: 'y' } }, 'must have a string or'],
    ['no form for other counts', { 'frame.skip': { one: 'x' } }, 'must have a string or'],
    ['a placeholder that is not filled', { 'frame.skip': 'To {page}' }, 'has an unknown placeholder {page}'],
    ['a wrong language', { language: 'not a language' }, 'must have a language such as en'],
  ])('are refused at the mount with %s', (_what, texts, why) => {
    expect(mount(texts)).toThrow(why);
    expect(mount(texts)).toThrow(TypeError);
  });
});
