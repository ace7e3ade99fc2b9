import type { EventFlag } from '../event-flag.js';
import type { EventStatus } from '../event-status.js';

/** What a custom action that every country has does to flags, and in which statuses it is allowed. */
interface BuiltInCustomAction {
  readonly statuses: readonly EventStatus[];
  readonly sets?: readonly EventFlag[];
  readonly clears?: readonly EventFlag[];
}

/** The flag of a sealed record (E-10). */
export const SEALED: EventFlag = 'sealed';

/** The custom actions that need no configuration, by `customActionType` (E-10, E-16). */
const BUILT_IN: ReadonlyMap<string, BuiltInCustomAction> = new Map([
  ['SEAL', { statuses: ['REGISTERED'], sets: [SEALED] }],
  ['UNSEAL', { statuses: ['REGISTERED'], clears: [SEALED] }],
]);

/** The built-in custom action of that name, if there is one. */
export const builtInCustomAction = (customActionType: string | null): BuiltInCustomAction | undefined =>
  customActionType === null ? undefined : BUILT_IN.get(customActionType);
