import type { Secret } from '../../platform/config/secret.js';
import { SealedTextError } from '../secrets/secrets-box.js';

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
  private readonly opened = new Map<number, Secret | undefined>();

  constructor(
    private readonly current: SealedShaSecret,
    private readonly replaced: readonly ReplacedShaSecret[],
    /** Undefined for one that cannot be read. */
    private readonly open: (sealed: string) => Secret | undefined,
  ) {}

  /**
   * The one that signs what is created now for a subscription that was made or renewed under that generation, with its
   * own generation. Undefined if it cannot be read, or the current one, which signs every attempt.
   */
  creating(generation: number): { readonly secret: Secret; readonly generation: number } | undefined {
    const own = this.replaced.find((one) => one.isRecent && one.generation === generation) ?? this.current;
    const secret = this.secret(own);
    const isUsable = secret !== undefined && this.secret(this.current) !== undefined;
    return isUsable ? { secret, generation: own.generation } : undefined;
  }

  /** Whether the current one is of that generation, and no other signs beside it. */
  areOnly(generation: number): boolean {
    return this.current.generation === generation && !this.replaced.some(({ isRecent }) => isRecent);
  }

  /**
   * The one of that generation, which a delivery keeps for good; the current one if it no longer exists. Throws
   * `SealedTextError` if it cannot be read.
   */
  of(generation: number): Secret {
    return this.needed(this.replaced.find((secret) => secret.generation === generation) ?? this.current);
  }

  /**
   * The secrets that sign an attempt of a delivery of that generation, for receivers that know only one of them: its
   * own, the current one, and during the overlap the one that the current one replaced, if that can be read. Throws as
   * `of` does.
   */
  signing(generation: number): readonly Secret[] {
    const last = this.replaced.find((secret) => secret.generation === this.current.generation - 1);
    const beside = last?.isRecent === true ? this.secret(last) : undefined;
    const all = [this.of(generation), this.needed(this.current), ...(beside === undefined ? [] : [beside])];
    return [...new Set(all)];
  }

  private needed(secret: SealedShaSecret): Secret {
    const opened = this.secret(secret);
    if (opened === undefined)
      throw new SealedTextError(`the sha_secret ${secret.generation} of the client is not readable`);
    return opened;
  }

  private secret({ generation, sealed }: SealedShaSecret): Secret | undefined {
    if (this.opened.has(generation)) return this.opened.get(generation);
    const opened = this.open(sealed);
    this.opened.set(generation, opened);
    return opened;
  }
}
