const { account, flag, gaps, key, list, rare, secret, size, text, time, word } = require('./columns');

module.exports = {
  rows: 1_000_000,
  filter: 'status=suspended',
  columns: {
    id: key(),
    domain: text(253, "'customer-'", 'seq', "'.example.com'"),
    account_id: account(),
    aliases: list(255, "'www.customer-'", 'seq', "'.example.com,customer-'", 'seq', "'.example.net'"),
    status: word('active', 'active', 'active', 'active', 'active', 'stopped', 'suspended'),
    runtime: word('php', 'node', 'static'),
    runtime_version: word('8.2', '8.3', '20'),
    web_server: word('nginx', 'apache'),
    document_root: text(255, "'/home/c'", 'seq % 5000', "'/www/'", 'seq'),
    ip_addresses: list(255, "'192.0.2.'", 'seq % 250'),
    ssl_enabled: flag('seq % 9 > 0'),
    force_https: flag('seq % 4 > 0'),
    disk_used_bytes: size(7_919),
    bandwidth_used_bytes: size(104_729),
    system_user: text(32, "'c'", 'seq % 5000'),
    app: gaps(3, word('wordpress', 'nextcloud', 'ghost')),
    created_at: time('2021-01-01', 63),
    updated_at: rare(2, time('2023-01-01', 67)),
  },
  secrets: { deploy_key: secret() },
};
