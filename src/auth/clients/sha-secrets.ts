import { Injectable, Logger } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Secret } from '../../platform/config/secret.js';
import { SealedTextError } from '../secrets/secrets-box.js';
import { SystemClients } from './system-clients.js';

export interface SealedShaSecret {
  /** Counted from 0 per client; each rotation adds one (W-15). */
  readonly generation: number;
  readonly sealed: string;
}

export interface ReplacedShaSecret extends SealedShaSecret {
  /** Replaced less than `SHA_SECRET_OVERLAP_SECONDS` ago. */
  readonly isRecent: boolean;
}

export class ShaSecrets {
  private readonly opened = new Map<number, Secret | undefined>();

  constructor(
    private readonly current: SealedShaSecret,
    private readonly replaced: readonly ReplacedShaSecret[],
    /** Undefined if unreadable. */
    private readonly open: (sealed: string) => Secret | undefined,
  ) {}

  /** For new deliveries of a subscription of that generation. Undefined if it, or the current one, is unreadable. */
  creating(generation: number): { readonly secret: Secret; readonly generation: number } | undefined {
    const own = this.replaced.find((one) => one.isRecent && one.generation === generation) ?? this.current;
    const secret = this.secret(own);
    const isUsable = secret !== undefined && this.secret(this.current) !== undefined;
    return isUsable ? { secret, generation: own.generation } : undefined;
  }

  /** Whether only the current secret signs, with that generation. */
  areOnly(generation: number): boolean {
    return this.current.generation === generation && !this.replaced.some(({ isRecent }) => isRecent);
  }

  /**
   * A delivery keeps its generation; the current secret replaces a deleted one. Throws `SealedTextError` if unreadable.
   */
  of(generation: number): Secret {
    return this.needed(this.replaced.find((secret) => secret.generation === generation) ?? this.current);
  }

  /** For receivers that know only one: its own, the current, and the replaced one in the overlap. Throws as `of`. */
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

/** Secrets under an unknown key, or damaged. Only these clients' deliveries wait (W-15). */
@Injectable()
export class UnreadableShaSecrets {
  private readonly log = new Logger(UnreadableShaSecrets.name);
  /** With the client, since the same text may be readable for another. */
  private readonly known = new Set<string>();

  constructor(private readonly clients: SystemClients) {}

  /** Undefined if unreadable, which is logged once. */
  read(clientId: Uuid, sealed: string): Secret | undefined {
    try {
      return this.clients.openShaSecret(clientId, sealed);
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      const unreadable = `${clientId} ${sealed}`;
      if (!this.known.has(unreadable)) {
        this.known.add(unreadable);
        this.log.error(`the sha_secret of client ${clientId} cannot be read; its notifications wait`, error);
      }
      return undefined;
    }
  }

  get areAny(): boolean {
    return this.known.size > 0;
  }

  /** SQL condition on a client id and its sealed secret. */
  includes(clientId: Sql, sealed: Sql): Sql {
    return sql`(${clientId}::text || ' ' || ${sealed} = any (${[...this.known]}::text[]))`;
  }
}
