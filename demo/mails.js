const admin = 'admin@panel.example';

const subjects = {
  created: ({ token }) => `The token ${token.name} was created`,
  expiring: ({ token, days }) =>
    `The token ${token.name} ends within ${days === 1 ? 'a day' : `${days} days`}`,
  first_address: ({ token, network }) => `The token ${token.name} was used from a new network, ${network}`,
  ended: ({ token }) => `The token ${token.name} is ${token.state}, but a program still uses it`,
};

/** The table of the mails that a panel would send. */
function columns(table) {
  table.increments('id');
  table.string('recipient').notNullable();
  table.string('subject').notNullable();
  table.datetime('created_at').notNullable();
}

/** Writes a mail about an event of a token: to its customer, or else to the administrator. */
function mailAbout(db) {
  return async function onTokenEvent(event) {
    const { accountId, origin } = event.token;
    // An administrator knows what administrators create.
    if (event.type === 'created' && origin !== 'account-section') return;
    const account = accountId === null ? null : await db('accounts').where({ id: accountId }).first();
    await db('mails').insert({
      recipient: account?.email ?? admin,
      subject: subjects[event.type](event),
      created_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
    });
  };
}

module.exports = { columns, rows: () => [], mailAbout };
