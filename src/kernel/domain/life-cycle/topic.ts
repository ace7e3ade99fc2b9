/** W-1. */
export const TOPICS = [
  'BIRTH_REGISTERED',
  'DEATH_REGISTERED',
  'BIRTH_CERTIFIED',
  'DEATH_CERTIFIED',
  'BIRTH_CORRECTED',
  'DEATH_CORRECTED',
] as const;

/** A topic of subscriptions. */
export type Topic = (typeof TOPICS)[number];

/** Whether it is one of `TOPICS`. */
export const isTopic = (value: unknown): value is Topic => TOPICS.includes(value as Topic);
