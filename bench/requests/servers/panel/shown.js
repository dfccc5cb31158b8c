const time = (stored) => stored && `${stored.slice(0, 10)}T${stored.slice(11)}+00:00`;

/** Converts rows from the driver so that they equal the module's. */
const shown = {
  domains(row) {
    row.dns_managed = row.dns_managed === 1;
    row.dnssec_enabled = row.dnssec_enabled === 1;
    row.mail_enabled = row.mail_enabled === 1;
    row.registration_expires_at = time(row.registration_expires_at);
    row.created_at = time(row.created_at);
    row.updated_at = time(row.updated_at);
    return row;
  },

  jobs(row) {
    row.queued_at = time(row.queued_at);
    row.started_at = time(row.started_at);
    row.finished_at = time(row.finished_at);
    return row;
  },
};

module.exports = { shown };
