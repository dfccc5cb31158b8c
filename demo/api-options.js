const logger = require('./log');
const { mailAbout } = require('./mails');
const shownSettings = require('./shown-settings');

/** The options of the mount, for the panel and for the command. */
module.exports = (db) => ({
  db,
  logger,
  panel: { name: 'Demo Panel', version: '1.0.0' },
  onTokenEvent: mailAbout(db),
  sources: { services: { table: 'services' }, settings: { keys: shownSettings } },
});
