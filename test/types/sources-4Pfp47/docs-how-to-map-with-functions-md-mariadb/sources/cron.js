/** @type {import('koa-panel-api').Sources['cron']} */
module.exports = {
  table: 'crontab',
  fields: {
    name: { column: 'label', from: (label) => String(label).replace(/ \(.*\)$/, '') },
    schedule: {
      columns: { minute: 'minute', hour: 'hour' },
      compute: ({ minute, hour }) => `${minute} ${hour} * * *`,
    },
    enabled: 'active',
    next_run_at: false,
  },
};
