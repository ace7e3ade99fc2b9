import type { Arena } from './arena.js';

/** One attack on the service. */
export interface Attack {
  /** What the attacker does, as the table says it. */
  readonly attack: string;
  /** Set where it takes long: `--check` leaves it out. */
  readonly isCostly?: true;
  /** Set where the service does not hold yet: what is known of it. It is played and told, and fails no run. */
  readonly open?: string;
  /** Attacks; yields what the attacker got, in a few words. Throws when the service answered what it must not. */
  readonly act: (arena: Arena) => Promise<string>;
}
