import { isCommandMasked } from '../../../lib/cron/isCommandMasked';

test('a command with a password is masked', () => {
  expect(isCommandMasked('mysqldump --password=geheim shop')).toBe(true);
});

test('a command without secrets is not masked', () => {
  expect(isCommandMasked('/usr/bin/php cron.php')).toBe(false);
});

test.each([null, undefined, 7n, {}])('nothing is said of %p', (command) => {
  expect(isCommandMasked(command)).toBeNull();
});
