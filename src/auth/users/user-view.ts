import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/** Pending: without a password. */
export const USER_STATUSES = ['pending', 'active', 'deactivated'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export interface StoredSecurityQuestion {
  readonly key: string;
  /** Argon2id in PHC format. */
  readonly answerHash: string;
}

export interface UserView {
  readonly id: Uuid;
  readonly username: string;
  readonly name: { readonly firstname: string; readonly surname: string };
  readonly role: string;
  readonly primaryOfficeId: Uuid;
  readonly status: UserStatus;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const fullName = ({ firstname, surname }: UserView['name']): string => `${firstname} ${surname}`.trim();

/** With login and recovery secrets; never sent or logged. */
export interface StoredUser extends UserView {
  readonly passwordHash: string | null;
  readonly securityQuestions: readonly StoredSecurityQuestion[];
}

export const USER_VIEW: Sql = sql`
  user_id as id, username, json_build_object('firstname', firstname, 'surname', surname) as name, role,
  primary_office_id as "primaryOfficeId", status, email, mobile, created_at as "createdAt", updated_at as "updatedAt"`;

export const STORED_USER: Sql = sql`${USER_VIEW},
  password_hash as "passwordHash", security_questions as "securityQuestions"`;
