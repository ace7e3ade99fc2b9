import { createHmac, randomBytes } from 'node:crypto';

import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';

import type { Connections } from '../database/pools/connections.js';
import { ControlDatabase } from '../database/pools/control-database.js';
import { sql } from '../sql/sql.js';
import { SecretsBox } from './secrets-box.js';

const NAME = 'client secret hash';

/**
 * Hashes client secrets under a key of its own, which is kept sealed: it stays the same when `SECRETS_KEY` changes.
 * Where clients or keys are there already, it is the one that was derived of `SECRETS_KEY` before, so that no secret changes
 * and an older process may run beside this one.
 */
@Injectable()
export class ClientSecretHash implements OnModuleInit {
  private key: Promise<Buffer> | undefined;

  constructor(
    @Inject(ControlDatabase) private readonly database: Connections,
    private readonly box: SecretsBox,
  ) {}

  /** So that a start under another `SECRETS_KEY` fails, and no request waits for it. */
  async onModuleInit(): Promise<void> {
    await this.of('');
  }

  /** HMAC-SHA-256. Throws `SealedTextError` where the key was sealed under a `SECRETS_KEY` that is not configured. */
  async of(clientSecret: string): Promise<Buffer> {
    this.key ??= this.load().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return createHmac('sha256', await this.key)
      .update(clientSecret)
      .digest();
  }

  private async load(): Promise<Buffer> {
    const kept = (await this.find()) ?? (await this.make());
    return Buffer.from(this.box.open(kept, NAME), 'base64');
  }

  private async find(): Promise<string | undefined> {
    const [row] = await this.database.query<{ readonly sealed: string }>(
      sql`select key_sealed as sealed from kept_key where name = ${NAME}`,
    );
    return row?.sealed;
  }

  /** Of processes that make it at once, all get one. */
  private async make(): Promise<string> {
    // Whatever is sealed says under which key; a client without anything sealed there is not.
    const [older] = await this.database.query<{ readonly sealed: string }>(
      sql`(select sha_secret_sealed as sealed from system_client limit 1)
          union all (select private_key_sealed from signing_key limit 1) limit 1`,
    );
    const key = older === undefined ? randomBytes(32) : this.box.derivedHashKey(older.sealed);
    await this.database.query(
      sql`insert into kept_key (name, key_sealed) values (${NAME}, ${this.box.seal(key.toString('base64'), NAME)})
          on conflict do nothing`,
    );
    const kept = await this.find();
    if (kept === undefined) throw new Error('the key that client secrets are hashed under could not be kept');
    return kept;
  }
}

/** For `reseal`: what its row is sealed for. */
export const purposeOfKeptKey = (name: string): string => name;
