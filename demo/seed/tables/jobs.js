const { day, hour, minute, second } = require('../time');

// The target of a job. A job of the whole server has none.
const types = {
  'website.deploy': 'websites',
  'backup.run': 'accounts',
  'certificate.renew': 'ssl',
  'mailbox.resize': 'email',
  'database.optimize': 'databases',
  'dns.sync': 'domains',
  'malware.scan': 'websites',
  'usage.collect': null,
  'packages.update': null,
};
const targetNames = {
  websites: 'website',
  accounts: 'account',
  ssl: 'certificate',
  email: 'mailbox',
  databases: 'database',
  domains: 'domain',
};
const errors = ['Timed out after 300 s', 'Repository not reachable', 'Permission denied', 'Exit code 1'];

function columns(table) {
  table.increments('id');
  table.string('type', 32).notNullable();
  table.string('status', 16).notNullable();
  table.integer('account_id').references('accounts.id');
  table.string('target_type', 32);
  table.integer('target_id');
  table.integer('progress_percent');
  table.integer('attempts');
  table.integer('max_attempts');
  table.datetime('queued_at');
  table.datetime('started_at');
  table.datetime('finished_at');
  table.integer('duration_ms');
  table.string('actor');
  table.string('error');
  table.text('payload');
}

const progress = { queued: () => 0, succeeded: () => 100 };
const attempts = { queued: () => 0, failed: () => 3 };

function rows(panel) {
  const { random, now, at, accounts } = panel;

  function job(index, queued, status) {
    const type = random.pick(Object.keys(types));
    const table = types[type];
    const target = table && random.pick(panel[table].filter(({ created_at }) => created_at <= queued));
    const account = target && (table === 'accounts' ? target : accounts[target.account_id - 1]);
    const started = status === 'queued' ? null : Math.min(queued + random.integer(0, 90) * second, now);
    const running = status === 'running';
    const finished = started && !running ? Math.min(started + random.integer(1, 400) * second, now) : null;

    return {
      id: index + 1,
      type,
      status,
      account_id: account ? account.id : null,
      target_type: table && targetNames[table],
      target_id: target?.id,
      progress_percent: (progress[status] ?? (() => random.integer(5, 95)))(),
      attempts: (attempts[status] ?? (() => random.pick([1, 1, 1, 1, 2])))(),
      max_attempts: 3,
      queued_at: at(queued),
      started_at: started && at(started),
      finished_at: finished && at(finished),
      duration_ms: finished && finished - started,
      actor: account && random.chance(0.4) ? account.username : 'system',
      error: status === 'failed' ? random.pick(errors) : null,
      payload: `{"credentials":"${random.secret()}"}`,
    };
  }

  const ended = Array.from({ length: 240 }, () => {
    const age = random.chance(0.4) ? random.fraction() * day : random.fraction() * 14 * day;
    return now - hour - age;
  }).sort((a, b) => a - b);
  const recent = [...Array(4).fill('running'), ...Array(6).fill('queued')];

  return [
    ...ended.map((queued, index) =>
      job(index, queued, random.weighted({ succeeded: 40, failed: 4, cancelled: 1 })),
    ),
    ...recent.map((status, index) => job(ended.length + index, now - (10 - index) * minute, status)),
  ];
}

module.exports = { columns, rows };
