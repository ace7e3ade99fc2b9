const SHOWN = 20;

/** A reporter of Jest: prints the slowest suites at the end of a run. */
export default class SlowestSuites {
  onRunComplete(_contexts, { testResults }) {
    const slowest = testResults
      .filter(({ perfStats }) => perfStats.runtime > 0)
      .toSorted((one, other) => other.perfStats.runtime - one.perfStats.runtime)
      .slice(0, SHOWN);
    if (slowest.length < 2) return;
    const lines = slowest.map(({ perfStats, testFilePath }) => {
      const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(7);
      return `${seconds} s  ${testFilePath.slice(process.cwd().length + 1)}`;
    });
    process.stderr.write(`\nThe slowest suites:\n${lines.join('\n')}\n`);
  }
}
