const BURST = 118;

const burst = (pathOf) => ({
  paths: Array.from({ length: BURST }, (_, index) => pathOf(index)),
});

/**
 * The requests that one token can send at once within a limit of 120. `bytesPerSecond` is how fast it reads each
 * answer.
 */
const worst = {
  nothing: { paths: [] },
  services: burst((index) => `services.php?id=unit${index}`),
  health: burst(() => 'health.php'),
  'server-health': burst(() => 'server-health.php'),
  'release-audit': burst(() => 'release-audit.php'),
  openapi: burst(() => 'openapi.php'),
  filters: burst((index) => `jobs.php?status=running&limit=${index + 1}`),
  cron: burst(() => 'cron.php'),
  metrics: burst(() => '/metrics'),
  lists: burst(() => 'jobs.php'),
  'slow-readers': { ...burst(() => 'jobs.php'), bytesPerSecond: 150_000 },
};

module.exports = { worst };
