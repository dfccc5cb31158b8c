/**
 * Runs a benchmark as the whole process. A failure is printed as a sentence, and Ctrl-C ends everything that it has
 * started.
 */
function runBenchmark(main) {
  // An orderly exit ends the processes, and the watcher of the database's directory deletes that.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

module.exports = { runBenchmark };
