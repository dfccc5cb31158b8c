import { splitKeyWords } from '../../../lib/masking/looksLikeCredential';

test.each([
  ['smtp_password', ['smtp', 'password']],
  ['smtpPassword', ['smtp', 'password']],
  ['SMTP_PASSWORD', ['smtp', 'password']],
  ['smtp.password-2', ['smtp', 'password']],
  ['HTTPProxyURL', ['http', 'proxy', 'url']],
  ['OAuthToken', ['oauth', 'token']],
  ['größeMax', ['größe', 'max']],
  ['__', []],
])('%s has the words %j', (key, words) => {
  expect(splitKeyWords(key)).toEqual(words);
});
