import { commandNames } from '../fixture/referenceTables/command';
import { Page } from './Page';

const page = new Page('docs/reference/command.md');
const examples = page.blocks.filter(({ info, notRun }) => info === 'sh' && notRun === undefined);

test.each(commandNames)('docs/reference/command.md has an example of %s that is run', (name) => {
  const called = new RegExp(`panel-api (?:--config \\S+ )?${name}\\b`);
  expect(examples.filter(({ text }) => called.test(text))).not.toEqual([]);
});
