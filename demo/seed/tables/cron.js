const { day, hour, minute } = require('../time');

// How often each schedule runs, and how long after the start of the period, to compute the last run.
const schedules = {
  '*/5 * * * *': { every: 5 * minute, offset: 0 },
  '*/15 * * * *': { every: 15 * minute, offset: 0 },
  '@hourly': { every: hour, offset: 0 },
  '17 * * * *': { every: hour, offset: 17 * minute },
  '@daily': { every: day, offset: 0 },
  '30 3 * * *': { every: day, offset: 3.5 * hour },
  // The epoch began on a Thursday.
  '0 4 * * 0': { every: 7 * day, offset: 3 * day + 4 * hour },
};

const tasks = [
  { name: 'WordPress events', type: 'script', command: (site) => `php ${site.document_root}/wp-cron.php` },
  {
    name: 'Nightly dump',
    type: 'command',
    command: (site, secret) =>
      `mysqldump -u ${site.system_user} -p${secret} shop | gzip > /home/${site.system_user}/shop.sql.gz`,
  },
  {
    name: 'PostgreSQL dump',
    type: 'command',
    command: (site, secret) =>
      `PGPASSWORD=${secret} pg_dump -h 127.0.0.1 -U ${site.system_user} app > /tmp/app.sql`,
  },
  {
    name: 'Stock import',
    type: 'command',
    command: (site, secret) => `curl -s -H "Authorization: Bearer ${secret}" https://${site.domain}/import`,
  },
  {
    name: 'Feed',
    type: 'url',
    command: (site, secret) => `https://feed:${secret}@${site.domain}/feed.php?token=${secret}`,
  },
  { name: 'Clean the cache', type: 'command', command: (site) => `rm -rf /home/${site.system_user}/cache/*` },
  {
    name: 'Report',
    type: 'script',
    command: (site, secret) =>
      `/home/${site.system_user}/bin/report --user report --password "${secret}" --quiet`,
  },
];

// Like many panels, this one leaves the next run to cron, and the API computes it.
function columns(table) {
  table.increments('id');
  table.integer('account_id').references('accounts.id');
  table.integer('website_id').references('websites.id');
  table.string('name');
  table.string('schedule', 64).notNullable();
  table.string('timezone', 64);
  table.string('type', 16);
  table.text('command');
  table.string('run_as', 32);
  table.boolean('enabled').notNullable();
  table.datetime('last_run_at');
  table.string('last_status', 16);
  table.integer('last_exit_code');
  table.integer('last_duration_ms');
  table.datetime('created_at');
  table.datetime('updated_at');
}

const exitCodes = { succeeded: 0, failed: 1 };

function rows({ random, now, at, websites }) {
  const hosts = websites.filter((website) => website.document_root);

  return random
    .shuffle(hosts)
    .slice(0, 60)
    .map((site, index) => {
      const task = random.pick(tasks);
      const schedule = random.pick(Object.keys(schedules));
      const { every, offset } = schedules[schedule];
      const enabled = site.status !== 'suspended' && random.chance(0.9);
      const created = site.created_at.getTime() + random.fraction() * (now - site.created_at.getTime());
      const latest = now - ((now - offset) % every);
      const ran = enabled && latest > created ? latest : null;
      const status = ran ? random.weighted({ succeeded: 20, failed: 3, running: 1 }) : 'never';

      return {
        id: index + 1,
        account_id: site.account_id,
        website_id: site.id,
        name: task.name,
        schedule,
        timezone: 'UTC',
        type: task.type,
        command: task.command(site, random.secret()),
        run_as: site.system_user,
        enabled,
        last_run_at: ran && at(ran),
        last_status: status,
        last_exit_code: exitCodes[status] ?? null,
        last_duration_ms: status in exitCodes ? random.integer(80, 90000) : null,
        created_at: at(created),
        updated_at: at(created),
      };
    });
}

module.exports = { columns, rows };
