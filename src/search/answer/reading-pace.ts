import { ServiceError } from '../../errors/service-error.js';

/** How fast a client has to take what it is sent, while anything waits for it. */
export interface ReadingPace {
  readonly leastBytesPerSecond: number;
  /** Over how long that is measured. */
  readonly overMs: number;
}

/** What a reader of an answer must at least take. */
export const READING_PACE: ReadingPace = { leastBytesPerSecond: 16_000, overMs: 60_000 };

/** Why an answer is broken off whose client takes it too slowly: nobody can be told but the log. */
export const tooSlowReader = (what: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The client took too little of its answer: ${what}`, {
    refusal: 'slow-reader',
  });
