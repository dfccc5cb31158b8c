/** Runs a benchmark as the whole of this process: a failure is printed as a sentence, and Ctrl-C ends all that it started. */
function runBenchmark(main) {
  // At an orderly exit the processes end, and what watches over the database's directory ends and removes that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

module.exports = { runBenchmark };
