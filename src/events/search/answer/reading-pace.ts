import { ServiceError } from '../../../kernel/errors/service-error.js';

/** The pace at which a client must take data that wait for it. */
export interface ReadingPace {
  readonly leastBytesPerSecond: number;
  /** The interval of the measurement. */
  readonly overMs: number;
}

export const READING_PACE: ReadingPace = { leastBytesPerSecond: 16_000, overMs: 60_000 };

/** Only the log gets this reason. */
export const tooSlowReader = (what: string): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `The client took too little of its answer: ${what}`, {
    refusal: 'slow-reader',
  });
