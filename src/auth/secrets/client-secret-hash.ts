import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { Primary } from '../../platform/database/connection/primary.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { ControlDatabase } from '../../platform/database/pools/pools.js';
import { sql } from '../../kernel/sql/sql.js';
import { SecretsBox } from './secrets-box.js';

const NAME = 'client secret hash';

/** A separate key, stored sealed, survives changes of `SECRETS_KEY`. */
@Injectable()
export class ClientSecretHash implements OnModuleInit {
  private key: Promise<KeyObject> | undefined;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly box: SecretsBox,
    primary: Primary,
  ) {
    // A failover may have lost the transaction that created the key.
    primary.onNewServer(() => {
      this.key = undefined;
    });
  }

  /** A start under a different `SECRETS_KEY` fails, and no request waits. */
  async onModuleInit(): Promise<void> {
    await this.of('');
  }

  /** HMAC-SHA-256. Throws `SealedTextError` if an unconfigured `SECRETS_KEY` sealed the key. */
  async of(clientSecret: string): Promise<Buffer> {
    return createHmac('sha256', await this.kept())
      .update(clientSecret)
      .digest();
  }

  /** 32 bytes, derived, equal in every process. */
  async keyFor(purpose: string): Promise<Buffer> {
    return Buffer.from(hkdfSync('sha256', await this.kept(), '', `matricula ${purpose}`, 32));
  }

  private kept(): Promise<KeyObject> {
    this.key ??= this.load().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }

  private async load(): Promise<KeyObject> {
    const kept = (await this.find()) ?? (await this.make());
    return createSecretKey(this.box.open(kept, NAME), 'base64');
  }

  private async find(): Promise<string | undefined> {
    const [row] = await this.database.query<{ readonly sealed: string }>(
      sql`select key_sealed as sealed from kept_key where name = ${NAME}`,
    );
    return row?.sealed;
  }

  /** Processes that start together get the same key. */
  private async make(): Promise<string> {
    await this.database.query(
      sql`insert into kept_key (name, key_sealed) values (${NAME}, ${this.box.seal(randomBytes(32).toString('base64'), NAME)})
          on conflict do nothing`,
    );
    const kept = await this.find();
    if (kept === undefined) throw new Error('the key that client secrets are hashed under could not be kept');
    return kept;
  }
}

export const purposeOfKeptKey = (name: string): string => name;
