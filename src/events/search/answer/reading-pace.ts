import { ServiceError } from '../../../kernel/errors/service-error.js';

/** The pace at which a client must take waiting data. */
export interface ReadingPace {
  readonly leastBytesPerSecond: number;
  readonly overMs: number;
}

export const READING_PACE: ReadingPace = { leastBytesPerSecond: 16_000, overMs: 60_000 };

/** Only for the log. */
export const tooSlowReader = (what: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The client took too little of its answer: ${what}`, {
    refusal: 'slow-reader',
  });
