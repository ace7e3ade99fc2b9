import type { Command } from './command.js';
import type { Waiting } from './waiting-commands.js';
import type { Ended } from './write-batch.js';

/** A command that waits, and how to end its waiting. */
export interface Pending extends Waiting {
  readonly command: Command<unknown>;
  /** Its turn has come: it is not given up any more. */
  readonly begin: () => void;
  readonly settle: (outcome: Ended) => void;
}
