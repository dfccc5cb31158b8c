import { looksLikeCredential, splitKeyWords } from '../../../lib/masking/credentials';

describe('looksLikeCredential', () => {
  test.each(
    (
      'password passwd pwd pass passphrase secret token apikey api_key private_key access_key credentials salt hash dsn ' +
      'webhook_url license_key smtp_pass auth smtpPass SMTP_PASSWORD smtp.password smtp-password APIKey apiKEY stripe_key ' +
      'stripeSecretKey AWS_SECRET_ACCESS_KEY access_key_id dbpass clientSecret oauth_token OAuth2ClientSecret password2 ' +
      'db.connectionString DATABASE_URL recaptcha.secretKey root_password_hash cloudflareApiTokens stripe_api_key_live ' +
      'recaptcha_private vapid_private otp_seed psk snmp_community stripe_sk session_cookie pem wifiPsk ' +
      'ftp_pw recaptcha_privatekey MaxMindLicenseKey max_secret'
    ).split(' '),
  )('%s is a credential', (key) => {
    expect(looksLikeCredential(key)).toBe(true);
  });

  test.each(
    (
      'author authority authentication_enabled passive_ports passenger_enabled compass bypass_cache mass_mail monkey ' +
      'keyboard tokenizer secretary hashtag hostname url login_url timezone query_string public_key site_key cache_key ' +
      'is_private private_network cookie_consent community_url seeds'
    ).split(' '),
  )('%s is no credential', (key) => {
    expect(looksLikeCredential(key)).toBe(false);
  });

  test.each(
    (
      'token_ttl_seconds password_min_length passwordMinLength PASSWORD_EXPIRY_DAYS password.policy auth_required ' +
      'session.token-timeout api_key_count max_password_attempts oauth_enabled hash_algorithm private_key_path ' +
      'max_keys hash_algo session_cookie_name private_mode ' +
      'max_tokens maxApiKeys minimum_passwords'
    ).split(' '),
  )('%s is a rule about credentials', (key) => {
    expect(looksLikeCredential(key)).toBe(false);
  });

  test('a key too long to be examined is a credential', () => {
    expect(looksLikeCredential('a'.repeat(100_000))).toBe(true);
  });

  test('an empty key is no credential', () => {
    expect(looksLikeCredential('')).toBe(false);
  });
});

describe('splitKeyWords', () => {
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
});
