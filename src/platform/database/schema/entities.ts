import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

export interface StoredSecurityQuestion {
  readonly key: string;
  /** Argon2id in PHC format. */
  readonly answerHash: string;
}

/** A person who uses the service (U-1). A trigger sets `updated_at` and the revision, and announces `user_changed`. */
@Entity('user_account')
export class UserEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  username: string;

  /** `usernameKey`, unique regardless of letter case. */
  @Column('text', { name: 'username_key', unique: true })
  usernameKey: string;

  @Column('text', { name: 'username_skeleton', nullable: true })
  usernameSkeleton: string | null;

  @Column('text')
  firstname: string;

  @Column('text')
  surname: string;

  @Column('text')
  role: string;

  @Column('uuid', { name: 'primary_office_id' })
  primaryOfficeId: string;

  /** `pending` until the first password is set. */
  @Column('text')
  status: 'pending' | 'active' | 'deactivated';

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  mobile: string | null;

  /** Argon2id in PHC format; null until a password is set. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  @Column('jsonb', { name: 'security_questions' })
  securityQuestions: StoredSecurityQuestion[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}

/** `Place` of the domain: an administrative area or a location. */
@Entity('place')
class Place {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: 'administrativeArea' | 'location';

  @Column('text')
  name: string;

  @Column('uuid', { name: 'part_of', nullable: true })
  partOf: string | null;

  @Column('text', { name: 'location_type', nullable: true })
  locationType: string | null;
}

/** A key pair that signs access tokens (P-6, A-6). */
@Entity('signing_key')
export class SigningKey {
  /** RFC 7638 thumbprint. */
  @PrimaryColumn('text')
  kid: string;

  /** SPKI PEM. */
  @Column('text', { name: 'public_key' })
  publicKey: string;

  /** PKCS#8 PEM, encrypted under `SECRETS_KEY`. */
  @Column('text', { name: 'private_key_sealed' })
  privateKeySealed: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  /** Set by rotation: until then the key is accepted, but no longer signs. Null for the signing key. */
  @Column('timestamptz', { name: 'accepted_until', nullable: true })
  acceptedUntil: Date | null;
}

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

export const ENTITIES = [Place, SigningKey, SystemClient, UserEntity];
