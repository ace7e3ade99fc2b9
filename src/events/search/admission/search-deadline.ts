import { ServiceError } from '../../../kernel/errors/service-error.js';

/** A search that takes too long would take as long again if retried at once. */
const RETRY_AFTER_SECONDS = '10';

/**
 * How long the work of one search may take. Its `signal` aborts when the time is over, with 503 SERVICE_UNAVAILABLE, or
 * when the client hangs up, with that signal's reason.
 */
export class SearchDeadline {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private leftMs = 0;
  private sinceMs = 0;
  private isWaiting = false;
  private readonly hangUp = (): void => {
    this.pause();
    this.controller.abort(this.hungUp?.reason);
  };

  constructor(
    private readonly seconds: number,
    private readonly hungUp?: AbortSignal,
    private readonly whenOver = () => tookTooLong(seconds),
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
    this.leftMs = this.seconds * 1_000;
    this.resume();
  }

  /** The work has what is left of its time. */
  resume(): void {
    this.run(this.leftMs, this.whenOver);
  }

  /** From now until `waited`, the work waits for its turn, for at most `seconds` of its own time. */
  wait(seconds: number, tooLong: () => ServiceError): void {
    this.isWaiting = true;
    this.pause();
    if (1_000 * seconds < this.leftMs) this.run(1_000 * seconds, tooLong);
    else this.resume();
  }

  /** Its turn has come, or it waits no longer. */
  waited(): void {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.pause();
    this.resume();
  }

  /** The clock stops, for example while a client takes what it was sent. */
  pause(): void {
    if (this.timer !== undefined) this.leftMs -= performance.now() - this.sinceMs;
    this.stop();
  }

  /** Ends the work for another reason. */
  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** To be called when the search is done. */
  end(): void {
    this.stop();
    this.hungUp?.removeEventListener('abort', this.hangUp);
  }

  private run(ms: number, whenOver: () => ServiceError): void {
    this.stop();
    this.sinceMs = performance.now();
    this.timer = setTimeout(() => {
      this.controller.abort(whenOver());
    }, ms);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

const tookTooLong = (seconds: number): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The search was not done within ${seconds} s, and was given up; a narrower one may be answered`,
    { headers: { 'retry-after': RETRY_AFTER_SECONDS }, refusal: 'search-timeout' },
  );
