const { contestants } = require('../contestants');
const { jobs } = require('../tables').tables;

const {
  bare,
  'by-hand': byHand,
  'same-promises-database': handDatabase,
  'same-promises-memory': handMemory,
  database,
  memory,
} = contestants;

const limit = 100;
const stride = 1000;
const after = jobs.rows / 2;

module.exports = {
  name: 'page',
  title: `A page of ${limit} deep in ${jobs.rows.toLocaleString('en')} jobs`,
  connections: [1, 64],
  subjects: [bare, byHand, handDatabase, handMemory, database, memory],
  tables: [{ ...jobs, name: 'jobs' }],

  /** The module's cursor in the middle of the list. The other contestants start after the id at that place. */
  async find(ask) {
    let cursor = '';
    for (let read = 0; read < after; read += stride) {
      const { data } = await ask(`jobs.php?limit=${stride}${cursor && `&cursor=${cursor}`}`);
      cursor = data.next_cursor;
    }
    return cursor;
  },

  paths: ({ ours }, cursor) => [
    ours ? `jobs.php?limit=${limit}&cursor=${cursor}` : `jobs.php?limit=${limit}&after=${after}`,
  ],
  compared: ({ data }) => data.items,
};
