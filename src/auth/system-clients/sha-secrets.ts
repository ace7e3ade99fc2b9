import type { Secret } from '../../config/secret.js';

/** A secret that signs for a client, as stored. */
export interface SealedShaSecret {
  /** Counted from 0 for each client: every rotation adds one (W-15). */
  readonly generation: number;
  readonly sealed: string;
}

/** The secret that the current one replaced. */
export interface ReplacedShaSecret extends SealedShaSecret {
  /** Whether it was replaced less than `SHA_SECRET_OVERLAP_SECONDS` ago. */
  readonly isRecent: boolean;
}

/** The secrets of a client under which its deliveries were created, decrypted on demand. */
export class ShaSecrets {
  private readonly opened = new Map<number, Secret>();

  constructor(
    private readonly current: SealedShaSecret,
    private readonly replaced: readonly ReplacedShaSecret[],
    private readonly open: (sealed: string) => Secret,
  ) {}

  /** Whether the current one is of that generation, and no other signs beside it. */
  areOnly(generation: number): boolean {
    return this.current.generation === generation && !this.replaced.some(({ isRecent }) => isRecent);
  }

  /** The one of that generation, which a delivery keeps for good; the current one if it no longer exists. */
  of(generation: number): Secret {
    return this.secret(this.replaced.find((secret) => secret.generation === generation) ?? this.current);
  }

  /**
   * The secrets that sign an attempt of a delivery of that generation, for receivers that know only one of them: its
   * own, the current one, and during the overlap the one that the current one replaced.
   */
  signing(generation: number): readonly Secret[] {
    const last = this.replaced.find((secret) => secret.generation === this.current.generation - 1);
    const beside = last?.isRecent === true ? [this.secret(last)] : [];
    return [...new Set([this.of(generation), this.secret(this.current), ...beside])];
  }

  private secret({ generation, sealed }: SealedShaSecret): Secret {
    const known = this.opened.get(generation);
    if (known !== undefined) return known;
    const opened = this.open(sealed);
    this.opened.set(generation, opened);
    return opened;
  }
}
