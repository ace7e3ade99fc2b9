import { Option } from 'commander';

/** `--json`: machine-readable output (P-10). */
export const jsonOption = (): Option =>
  new Option('--json', 'print the answer as JSON on standard output').default(false);
