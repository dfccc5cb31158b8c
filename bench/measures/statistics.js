/** The value that this share of all values (0 to 1) does not exceed. */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

const median = (values) => quantile(values, 0.5);

const latency = (values) => ({
  p50: median(values),
  p99: quantile(values, 0.99),
  max: Math.max(...values),
  samples: values.length,
});

module.exports = { latency, median, quantile };
