export const CONFIRMATION_STATUSES = ['pending', 'waiting', 'accepted', 'rejected', 'dead', 'over'] as const;
/** One of `CONFIRMATION_STATUSES`. */
export type ConfirmationStatus = (typeof CONFIRMATION_STATUSES)[number];

/** Those without an answer: they can be posted again. */
export const UNANSWERED = ['pending', 'waiting', 'dead'] as const satisfies readonly ConfirmationStatus[];
/** One of `UNANSWERED`. */
export type Unanswered = (typeof UNANSWERED)[number];
