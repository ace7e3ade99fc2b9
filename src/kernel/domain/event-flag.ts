/** The inherent flags, and `inactive` (E-1). Other strings are flags too: an action's outcome, or a country's own. */
export const INHERENT_FLAGS = [
  'incomplete',
  'rejected',
  'correction-requested',
  'potential-duplicate',
  'edit-in-progress',
  'inactive',
] as const;

export type InherentFlag = (typeof INHERENT_FLAGS)[number];

/** `<action>:<outcome>`, an inherent flag, or a configured flag. */
export type EventFlag = string;
