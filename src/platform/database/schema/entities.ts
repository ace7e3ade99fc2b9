import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A machine client. */
@Entity('system_client')
export class SystemClient {
  @PrimaryColumn('uuid', { name: 'client_id' })
  clientId: string;

  @Column('text')
  name: string;

  /** `HEALTH`, `NATIONAL_ID`, …; null with custom scopes. */
  @Column('text', { name: 'registered_as', nullable: true })
  registeredAs: string | null;

  /** The `scope` claim. */
  @Column('text', { array: true })
  scopes: string[];

  /** HMAC-SHA-256 of the client secret. */
  @Column('bytea', { name: 'secret_hash' })
  secretHash: Buffer;

  /** Public keys of its assertions (U-10). */
  @Column('jsonb', { nullable: true })
  jwks: { readonly keys: readonly object[] } | null;

  /** The webhook secret, encrypted. */
  @Column('text', { name: 'sha_secret_sealed' })
  shaSecretSealed: string;

  /** Number of replacements (W-15). */
  @Column('int', { name: 'sha_secret_generation' })
  shaSecretGeneration: number;

  /** `deleted` rows only reserve their id (I-1). */
  @Column('text')
  status: 'active' | 'deactivated';

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @Column('text', { name: 'created_by' })
  createdBy: string;
}

export const ENTITIES = [SystemClient];
