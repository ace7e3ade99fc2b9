import type { PostgresServer } from './postgres-server.js';
import type { Stage } from './stage.js';
import type { World } from './world.js';

/** How deliveries are dispatched: without `REDIS_URL` and with it (P-3). */
export type Dispatch = 'in process' | 'Bull';

/** One fault, and what is done while it lasts. Counting is the same for all. */
export interface Scenario {
  /** What goes wrong, as the table says it. */
  readonly fault: string;
  /** Both unless it is said. */
  readonly dispatch?: readonly Dispatch[];
  /** Variables of the service on top of those that all scenarios share. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether Redis runs when the service starts; it does unless it is said. */
  readonly redisAtStart?: boolean;
  /**
   * How often a subscriber may be notified again of what it has acknowledged: once for each delivery that a kill cuts
   * off. 0 unless it is said; those whose acknowledgement came too late are not counted.
   */
  readonly mayRepeat?: number;
  /** Whether it shares nothing with others: not PostgreSQL, nor the time of the machine. */
  readonly alone?: boolean;
  /** Why the service does not hold it yet: it is played and told, and fails no run. */
  readonly open?: string;
  /** Its database; one on the server of the run unless it is said. */
  readonly stage?: (postgres: PostgresServer) => Promise<Stage>;
  /** Brings the fault about, with events before, during and after it, and mends it. */
  readonly act: (world: World) => Promise<void>;
}

/** A scenario whose fault is one of its database, which is set up for it. */
export function staged<S extends Stage>(
  setUp: (postgres: PostgresServer) => Promise<S>,
  scenario: Omit<Scenario, 'act' | 'stage'> & { readonly act: (world: World, stage: S) => Promise<void> },
): Scenario {
  const stages = new WeakMap<Stage, S>();
  return {
    ...scenario,
    stage: async (postgres) => {
      const stage = await setUp(postgres);
      stages.set(stage, stage);
      return stage;
    },
    act: async (world) => {
      const stage = stages.get(world.stage);
      if (stage === undefined) throw new Error('it is the world of another scenario');
      await scenario.act(world, stage);
    },
  };
}
