/** The customer whose pages the demo shows: the oldest account of a customer that is active. */
module.exports = async function sampleCustomer(db) {
  return db('accounts').where({ role: 'customer', status: 'active' }).orderBy('created_at').first();
};
