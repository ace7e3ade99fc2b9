import type { AccessRule } from '../access/allow.js';
import type { Asker } from '../access/asker.js';
import type { CapacityName } from '../access/capacities.js';
import type { UserType } from '../domain/record/user-type.js';
import type { ProcedureName } from '../gateway/procedure-names.js';

/** Who calls, and until when he waits. */
export interface Call extends Asker {
  /** Where he reaches the service, without a trailing slash. */
  readonly publicAddress: string;
}

/** Reads, or changes something: a query may be asked for by GET. */
export interface Procedure {
  readonly kind: 'query' | 'mutation';
  /** That of the same operation's route. */
  readonly access: AccessRule | undefined;
  /** The only kind of caller, if that route has one alone. */
  readonly only: UserType | undefined;
  /** Whose turns its calls take, if that route takes any. */
  readonly capacity?: CapacityName | undefined;
  /** `input` is plain JSON. Resolves with plain JSON, or with `JsonText`. Throws what the route throws. */
  readonly run: (input: unknown, call: Call) => Promise<unknown>;
}

/** Some of the procedures of I-4. */
export type Procedures = Partial<Readonly<Record<ProcedureName, Procedure>>>;
