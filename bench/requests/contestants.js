const ours = (store) => ({ label: `ours, ${store}`, script: 'ours', env: { STORE: store }, ours: true });

const all = {
  bare: { label: 'bare', script: 'bare' },
  database: ours('database'),
  memory: ours('memory'),
};

/** Who is measured, by the names that the command takes. */
const contestants = Object.fromEntries(
  Object.entries(all).map(([name, contestant]) => [name, { name, contestant: name, ...contestant }]),
);

module.exports = { contestants };
