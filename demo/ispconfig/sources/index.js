// @ts-check
const accounts = require('./accounts');
const backups = require('./backups');
const cron = require('./cron');
const databases = require('./databases');
const domains = require('./domains');
const email = require('./email');
const jobs = require('./jobs');
const servicesOf = require('./services');
const settings = require('./settings');
const ssl = require('./ssl');
const websites = require('./websites');

/**
 * Where each list comes from in ISPConfig 3.
 *
 * @param {import('knex').Knex} db The handle that the module is mounted with, over ISPConfig's own database.
 * @returns {import('koa-panel-api').Sources}
 */
module.exports = function ispconfigSources(db) {
  return {
    accounts,
    domains,
    websites,
    email,
    databases,
    ssl,
    backups,
    jobs,
    cron,
    services: servicesOf(db),
    settings,
  };
};
