import { maskedCommand } from '../../../lib/cron/maskedCommand';

test('a password in a command does not show', () => {
  expect(maskedCommand('mysqldump --password=geheim shop')).not.toContain('geheim');
});

test('a command without secrets stays as it is', () => {
  expect(maskedCommand('/usr/bin/php cron.php')).toBe('/usr/bin/php cron.php');
});

test.each([null, undefined, 7n, {}])('%p is no command', (command) => {
  expect(maskedCommand(command)).toBeNull();
});
