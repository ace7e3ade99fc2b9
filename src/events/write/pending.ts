import type { Command } from './command.js';
import type { Waiting } from './waiting-commands.js';
import type { Ended } from './write-batch.js';

export interface Pending extends Waiting {
  readonly command: Command<unknown>;
  /** Its turn has come; it can no longer be cancelled. */
  readonly begin: () => void;
  readonly settle: (outcome: Ended) => void;
}
