const BURST = 118;

const burst = (pathOf) => ({
  paths: Array.from({ length: BURST }, (_, index) => pathOf(index)),
});

const filters = (count) =>
  Array.from({ length: count }, (_, index) => `jobs.php?type=none&limit=${index + 1}`);
const times = (count, path) => Array.from({ length: count }, () => path);

/**
 * The requests that one token can send at once within a limit of 120. `bytesPerSecond` is how fast it reads each
 * answer, `hurried` are requests that it leaves at once, `scopes` are those of the token, by default all. Those with
 * `everyMs` are sent again whenever that time has passed, in which the limit begins anew.
 */
const worst = {
  nothing: { paths: [] },
  services: burst((index) => `services.php?id=unit${index}`),
  health: burst(() => 'health.php'),
  'server-health': burst(() => 'server-health.php'),
  'release-audit': burst(() => 'release-audit.php'),
  openapi: burst(() => 'openapi.php'),
  filters: { paths: filters(BURST) },
  cron: burst(() => 'cron.php'),
  metrics: burst(() => '/metrics'),
  scrapes: {
    scopes: ['jobs.read'],
    everyMs: 15_000,
    paths: [...filters(25), 'jobs.php'],
    hurried: times(4, '/metrics'),
  },
  lists: burst(() => 'jobs.php'),
  'slow-readers': { ...burst(() => 'jobs.php'), bytesPerSecond: 150_000 },
};

module.exports = { worst };
