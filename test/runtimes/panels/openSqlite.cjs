// Opens a database in memory with the driver of a folder.
const Database = require(process.argv[2]);

new Database(':memory:').close();
