const { day, hour, minute } = require('../time');

const megabyte = 2 ** 20;
const nights = 14;
const contents = {
  account: ['files', 'databases', 'email'],
  website: ['files'],
  database: ['databases'],
  email: ['email'],
  server: ['configuration'],
};
const errors = [
  'No space left on device',
  'Connection to the storage was reset',
  'Lock wait timeout while dumping',
];

function columns(table) {
  table.increments('id');
  table.integer('account_id').references('accounts.id');
  table.integer('website_id').references('websites.id');
  table.string('scope', 16);
  table.json('contents');
  table.string('trigger', 16);
  table.string('method', 16);
  table.string('status', 16).notNullable();
  table.datetime('started_at');
  table.datetime('finished_at');
  table.integer('duration_ms');
  table.bigInteger('size_bytes');
  table.string('storage', 16);
  table.string('file_name');
  table.boolean('encrypted');
  table.boolean('verified');
  table.datetime('expires_at');
  table.string('error');
  table.string('path');
  table.string('encryption_passphrase');
}

function rows({ random, now, at, accounts, websites }) {
  const all = [];
  const midnight = now - (now % day);

  function add(start, status, scope) {
    const website =
      scope === 'website' ? random.pick(websites.filter(({ created_at }) => created_at <= start)) : null;
    const account =
      scope === 'server' ? null : accounts[(website ? website.account_id : random.integer(2, 60)) - 1];
    const started = status === 'queued' ? null : start;
    const finished =
      started && status !== 'running' ? Math.min(start + random.integer(20, 2400) * 1000, now) : null;
    const stored = status === 'succeeded' || status === 'partial';
    const encrypted = random.chance(0.6);
    const day8 = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
    const file = `${account ? account.username : 'server'}-${scope}-${day8}-${all.length + 1}.tar.zst`;

    all.push({
      id: all.length + 1,
      account_id: account ? account.id : null,
      website_id: website ? website.id : null,
      scope,
      contents: contents[scope],
      trigger: random.chance(0.9) ? 'scheduled' : 'manual',
      method: new Date(start).getUTCDay() === 0 ? 'full' : 'incremental',
      status,
      started_at: started && at(started),
      finished_at: finished && at(finished),
      duration_ms: finished && finished - started,
      size_bytes: stored ? random.integer(1, 6000) * megabyte + random.integer(0, megabyte) : null,
      storage: random.weighted({ local: 5, s3: 3, sftp: 2 }),
      file_name: stored ? file : null,
      encrypted,
      verified: stored ? random.chance(0.7) : null,
      expires_at: stored ? at(finished + 30 * day) : null,
      error: status === 'failed' || status === 'partial' ? random.pick(errors) : null,
      path: stored ? `/var/backups/panel/${file}` : null,
      encryption_passphrase: encrypted ? random.secret() : null,
    });
  }

  for (let night = nights - 1; night >= 0; night -= 1) {
    const start = midnight - night * day - 22 * hour;
    add(start, 'succeeded', 'server');
    for (let slot = 1; slot <= 13; slot += 1) {
      const status = random.weighted({ succeeded: 40, partial: 2, failed: 3 });
      const scope = random.weighted({ account: 5, website: 4, database: 2, email: 1 });
      add(start + slot * 10 * minute, status, scope);
    }
  }
  add(now - 12 * minute, 'running', 'account');
  add(now - 4 * minute, 'running', 'website');
  add(now, 'queued', 'account');
  add(now, 'queued', 'database');
  return all;
}

module.exports = { columns, rows };
