import { type FairQueue, turnInTime } from '../../platform/queue/fair-queue.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** How many requests of a kind wait in a process: each takes about a millisecond of the database. */
export const MOST_WAITING = 1_000;
/** How long each waits for its turn. */
const WAIT_MS = 5_000;

/** Runs what a check of credentials needs of the database. Throws 503 if there is no room for it, or it is too late. */
export const turnOfCredentials = <T>(turns: FairQueue, of: string, work: () => Promise<T>): Promise<T> =>
  turnInTime(turns, of, { waitMs: WAIT_MS, tooMany }, work);

const tooMany = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many credentials are waiting to be checked; try again later', {
    headers: { 'retry-after': '1' },
    refusal: 'credentials-waiting',
  });
