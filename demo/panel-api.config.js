const apiOptions = require('./api-options');
const openDatabase = require('./database');

// The command `panel-api` finds this file by its name.
module.exports = () => apiOptions(openDatabase());
