/** The last exchange begins with at least this left of the lease beyond its own deadline. */
const MARGIN_MS = 5_000;

/** How long leases of an outbox last, and when they must be confirmed. */
export interface LeaseTerms {
  readonly leaseMs: number;
  /** The deadline of an exchange. */
  readonly timeoutMs: number;
  /** For how long a lease counts as valid after it was found to be; absent: until its end. */
  readonly confirmedForMs?: number;
}

/**
 * A lease that this process holds. Its times are by `performance.now()`, and count from the beginning of the statement
 * that claimed, renewed or confirmed it.
 */
export class HeldLease {
  private renewedMs: number;
  private confirmedMs: number;
  private renewAfterMs = Infinity;
  private isRevoked = false;
  /** For how long after its renewal the lease outlasts an exchange. */
  private readonly usableMs: number;

  /** `isHolding`: whether the process still holds what it held at that time (W-16), and has not been stopped. */
  constructor(
    claimedMs: number,
    private readonly terms: LeaseTerms,
    private readonly isHolding: (sinceMs: number) => boolean,
  ) {
    this.usableMs = terms.leaseMs - terms.timeoutMs - MARGIN_MS;
    this.renewedMs = this.confirmedMs = claimedMs;
    this.renewed(claimedMs);
  }

  /**
   * Whether an exchange may begin: the lease outlasts it, and nobody else can have claimed the row meanwhile, because
   * the lock was lost (W-16) or the process has hung (W-8).
   */
  get isWanted(): boolean {
    const nowMs = performance.now();
    const { confirmedForMs = Infinity } = this.terms;
    return (
      !this.isRevoked &&
      nowMs <= this.renewedMs + this.usableMs &&
      nowMs < this.confirmedMs + confirmedForMs &&
      this.isHolding(this.confirmedMs)
    );
  }

  /** Whether it is time to renew it. Not for all leases at once: a part of the wait is random. */
  get isDueForRenewal(): boolean {
    return performance.now() > this.renewedMs + this.renewAfterMs;
  }

  renewed(atMs: number): void {
    this.renewedMs = atMs;
    this.renewAfterMs = (this.usableMs * (1 + Math.random())) / 3;
    this.confirmed(atMs);
  }

  confirmed(atMs: number): void {
    this.confirmedMs = Math.max(this.confirmedMs, atMs);
  }

  /** Nothing begins under it any more. */
  revoke(): void {
    this.isRevoked = true;
  }
}
