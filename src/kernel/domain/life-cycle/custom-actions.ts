import type { EventFlag, EventStatus } from '../event-status.js';

interface BuiltInCustomAction {
  readonly statuses: readonly EventStatus[];
  readonly sets?: readonly EventFlag[];
  readonly clears?: readonly EventFlag[];
}

/** The flag of a sealed record (E-10). */
export const SEALED: EventFlag = 'sealed';

/** Need no configuration (E-10, E-16). */
const BUILT_IN: ReadonlyMap<string, BuiltInCustomAction> = new Map([
  ['SEAL', { statuses: ['REGISTERED'], sets: [SEALED] }],
  ['UNSEAL', { statuses: ['REGISTERED'], clears: [SEALED] }],
]);

export const builtInCustomAction = (customActionType: string | null): BuiltInCustomAction | undefined =>
  customActionType === null ? undefined : BUILT_IN.get(customActionType);
