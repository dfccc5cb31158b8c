const { join } = require('node:path');

/** The folder into which MySQL and its libraries are extracted, with the folders of their packages. */
const mysqlFolder = join(__dirname, '../../node_modules/.cache/mysql');

module.exports = { mysqlFolder };
