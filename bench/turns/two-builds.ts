import { Command } from 'commander';

/** Which builds are compared, on which databases, and by what. */
export interface TwoBuilds {
  readonly filled: string;
  readonly oldFilled?: string;
  readonly old: string;
  readonly new: string;
  readonly only: string;
  readonly administrator: boolean;
}

/** A command that compares two builds, with the options that each such command has. */
export const comparison = (name: string): Command =>
  new Command(name)
    .requiredOption('--filled <url>', 'the database that `bench load` filled', process.env.BENCH_DATABASE_URL)
    .option('--old-filled <url>', 'its twin for the old program, where what is derived has another version')
    .requiredOption('--old <directory>', 'the built program to compare with')
    .option('--new <directory>', 'the built program', 'dist/src')
    .option('--only <text>', 'a regular expression of the names of what is asked', '')
    .option('--administrator', 'search as an administrator, whose searches are not audited', false);
