const sum = (rows, column) => rows.reduce((total, row) => total + (row[column] ?? 0), 0);

module.exports = function accountTotals({ accounts, domains, websites, email, databases }) {
  for (const account of accounts) {
    const own = (rows) => rows.filter((row) => row.account_id === account.id);
    const mailboxes = own(email).filter((row) => row.type === 'mailbox');
    account.website_count = own(websites).length;
    account.domain_count = own(domains).length;
    account.mailbox_count = mailboxes.length;
    account.database_count = own(databases).length;
    account.disk_used_bytes =
      sum(own(websites), 'disk_used_bytes') +
      sum(mailboxes, 'used_bytes') +
      sum(own(databases), 'size_bytes');
    account.bandwidth_used_bytes = sum(own(websites), 'bandwidth_used_bytes');
  }
};
