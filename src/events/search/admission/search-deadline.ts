import { ServiceError } from '../../../errors/service-error.js';

/** A search that takes too long would take as long again at once. */
const RETRY_AFTER_SECONDS = '10';

/**
 * How long the work of one search may take. Its `signal` aborts when the time is over, with 503 SERVICE_UNAVAILABLE, or
 * when the client hangs up, with that signal's reason.
 */
export class SearchDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly hangUp = (): void => {
    this.pause();
    this.controller.abort(this.hungUp?.reason);
  };

  constructor(
    private readonly seconds: number,
    private readonly hungUp?: AbortSignal,
  ) {
    hungUp?.addEventListener('abort', this.hangUp, { once: true });
    if (hungUp?.aborted === true) this.hangUp();
    else this.begin();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The work has the whole time from now on. */
  begin(): void {
    this.pause();
    this.timer = setTimeout(() => {
      this.controller.abort(tookTooLong(this.seconds));
    }, this.seconds * 1_000);
  }

  /** The time does not run, as while a client takes what it was sent. */
  pause(): void {
    clearTimeout(this.timer);
  }

  /** To be called when the search is done. */
  end(): void {
    this.pause();
    this.hungUp?.removeEventListener('abort', this.hangUp);
  }
}

const tookTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search was not done within ${seconds} s, and was given up; a narrower one may be answered`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'search-timeout' },
  );
