import { Injectable, Logger } from '@nestjs/common';
import type { Secret } from '../../platform/config/secret.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { SealedTextError, SecretsBox } from '../secrets/secrets-box.js';
import { SystemClients } from './system-clients.js';

/**
 * The secrets of clients that this process could not read: they are sealed under a key that it does not have, or
 * damaged. What is for such a client waits, and nobody else does (W-15).
 */
@Injectable()
export class UnreadableShaSecrets {
  private readonly log = new Logger(UnreadableShaSecrets.name);
  /** Of keys that this process does not have: thousands of secrets may be sealed under one. */
  private readonly keyIds = new Set<string>();
  /** Damaged ones, each with its client: the same text may be another client's, who can be read. */
  private readonly damaged = new Set<string>();
  private readonly told = new Set<string>();

  constructor(
    private readonly clients: SystemClients,
    private readonly box: SecretsBox,
  ) {}

  /** Reads a secret; undefined if it cannot be read, which the log says once. */
  read(clientId: Uuid, sealed: string): Secret | undefined {
    try {
      return this.clients.openShaSecret(clientId, sealed);
    } catch (error) {
      if (!(error instanceof SealedTextError)) throw error;
      this.remember(`${clientId} ${sealed}`, this.box.foreignKeyOf(sealed));
      if (!this.told.has(sealed)) {
        this.told.add(sealed);
        this.log.error(`the sha_secret of client ${clientId} cannot be read; its notifications wait`, error);
      }
      return undefined;
    }
  }

  /** Whether there is any. */
  get areAny(): boolean {
    return this.keyIds.size > 0 || this.damaged.size > 0;
  }

  /** A condition on the columns of a client's id and of a sealed secret of that client. */
  includes(clientId: Sql, sealed: Sql): Sql {
    return sql`(split_part(${sealed}, '.', 2) = any (${[...this.keyIds]}::text[])
      or ${clientId}::text || ' ' || ${sealed} = any (${[...this.damaged]}::text[]))`;
  }

  private remember(damaged: string, foreignKey: string | undefined): void {
    if (foreignKey === undefined) this.damaged.add(damaged);
    else this.keyIds.add(foreignKey);
  }
}
