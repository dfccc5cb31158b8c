const { join } = require('node:path');

/** Where the pages of Zabbix are. Every `npm install` keeps this folder. */
exports.zabbixFolder = join(__dirname, '..', '..', 'node_modules', '.cache', 'zabbix');
