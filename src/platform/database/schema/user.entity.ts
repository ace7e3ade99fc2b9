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
