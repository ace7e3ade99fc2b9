import { ServiceError } from '../../../kernel/errors/service-error.js';

/** How fast a client must take what it is sent, while anything waits for it. */
export interface ReadingPace {
  readonly leastBytesPerSecond: number;
  /** The interval of the measurement. */
  readonly overMs: number;
}

/** The lowest pace for readers of answers. */
export const READING_PACE: ReadingPace = { leastBytesPerSecond: 16_000, overMs: 60_000 };

/** Why the answer of a client that takes it too slowly is aborted: only the log can be told. */
export const tooSlowReader = (what: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The client took too little of its answer: ${what}`, {
    refusal: 'slow-reader',
  });
