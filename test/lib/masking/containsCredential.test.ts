import { containsCredential } from '../../../lib/masking/credentials';

describe('containsCredential', () => {
  test.each([
    '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
    'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg==',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    '9f86d081884c7d659a2feaa0c55ad015',
    '550e8400-e29b-41d4-a716-446655440000',
    '$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    'smtp://mailer:hunter2@mail.example:587',
    'mysql://panel:p/ss w@rd@db.example/panel',
    'redis://:hunter2@127.0.0.1',
    'key=AKIAIOSFODNN7EXAMPLE9QZ; region=eu-central-1',
    '["a","xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOHcbrzqgy"]',
  ])('%j does', (text) => {
    expect(containsCredential(text)).toBe(true);
  });

  test.each([
    '',
    '3600',
    '11111111111111111111111111111111111111111',
    'true',
    'nginx/1.26.3',
    '8.0.36-0ubuntu0.22.04.1',
    'Europe/Berlin',
    'en_US.UTF-8',
    '/var/www/vhosts/default/logs',
    'https://panel.example/login?next=home',
    'https://panel.example:8443/login',
    'admin@shop.example',
    '2026-06-12T00:00:00+00:00',
    'Mon, 02 Jan 2006 15:04:05 MST',
    '192.0.2.7, 2001:db8::1',
    'ns1.example.com,ns2.example.com',
    'TLSv1.2 TLSv1.3',
    'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
    '#ff8800',
    'Willkommen bei der Donaudampfschifffahrtsgesellschaft',
    'text/html; charset=utf-8',
    '["monday","tuesday"]',
    '0 3 * * 1-5',
    'public_html/index.php',
  ])('%j does not', (text) => {
    expect(containsCredential(text)).toBe(false);
  });
});
