import { Injectable, Logger } from '@nestjs/common';
import type { Secret } from '../../platform/config/secret.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { SealedTextError, SecretsBox } from '../secrets/secrets-box.js';
import { SystemClients } from './system-clients.js';

/** Secrets under an unknown key, or damaged. Only these clients' deliveries wait (W-15). */
@Injectable()
export class UnreadableShaSecrets {
  private readonly log = new Logger(UnreadableShaSecrets.name);
  /** Ids of unknown keys; thousands of secrets may share one. */
  private readonly keyIds = new Set<string>();
  /** With the client, since the same text may be readable for another. */
  private readonly damaged = new Set<string>();
  private readonly told = new Set<string>();

  constructor(
    private readonly clients: SystemClients,
    private readonly box: SecretsBox,
  ) {}

  /** Undefined if unreadable, which is logged once. */
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

  get areAny(): boolean {
    return this.keyIds.size > 0 || this.damaged.size > 0;
  }

  /** SQL condition on a client id and its sealed secret. */
  includes(clientId: Sql, sealed: Sql): Sql {
    return sql`(split_part(${sealed}, '.', 2) = any (${[...this.keyIds]}::text[])
      or ${clientId}::text || ' ' || ${sealed} = any (${[...this.damaged]}::text[]))`;
  }

  private remember(damaged: string, foreignKey: string | undefined): void {
    if (foreignKey === undefined) this.damaged.add(damaged);
    else this.keyIds.add(foreignKey);
  }
}
