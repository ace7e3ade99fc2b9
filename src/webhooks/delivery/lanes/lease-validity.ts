/** What must be left of a lease, in addition to the deadline of an exchange, when the last exchange begins. */
const MARGIN_MS = 5_000;
/** How long a lease counts as valid after a check: what others ended stops within two seconds (W-3, W-12). */
const CONFIRMED_MS = 1_900;

/** How long a lease lasts, and what is random about when it is renewed. */
interface LeaseTerms {
  readonly leaseMs: number;
  /** The deadline of an exchange. */
  readonly timeoutMs: number;
  /** In `[0, 1)`. */
  readonly random: () => number;
}

/**
 * What is known of a lease, by `performance.now()`: when it was renewed, and when it was last found valid. Both count
 * from the beginning of the statement that said so.
 */
export class LeaseValidity {
  private renewedMs = 0;
  private confirmedMs = 0;
  private renewAfterMs = Infinity;
  /** For how long after its renewal the lease outlasts an exchange. */
  private readonly usableMs: number;

  constructor(private readonly terms: LeaseTerms) {
    this.usableMs = terms.leaseMs - terms.timeoutMs - MARGIN_MS;
  }

  renewed(atMs: number): void {
    this.renewedMs = atMs;
    this.renewAfterMs = (this.usableMs * (1 + this.terms.random())) / 3;
    this.confirmed(atMs);
  }

  confirmed(atMs: number): void {
    this.confirmedMs = Math.max(this.confirmedMs, atMs);
  }

  /** The latest time at which it was known to be valid. */
  get confirmedAtMs(): number {
    return this.confirmedMs;
  }

  /** Whether it was found valid a moment ago. */
  get isFresh(): boolean {
    return performance.now() < this.confirmedMs + CONFIRMED_MS;
  }

  /** Whether an exchange that begins now ends before the lease does. */
  get outlastsAnExchange(): boolean {
    return performance.now() <= this.renewedMs + this.usableMs;
  }

  /** Whether it is time to renew it. Not for all lanes at once: that is what is random. */
  get isDueForRenewal(): boolean {
    return performance.now() > this.renewedMs + this.renewAfterMs;
  }
}
