import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

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
