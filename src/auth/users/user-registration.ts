import { Injectable } from '@nestjs/common';

import type { Actor } from '../../audit/audit-entry.js';
import { Passwords } from '../passwords/passwords.js';
import type { NewUserDto } from './new-user.dto.js';
import type { UserView } from './user-view.js';
import { Users } from './users.js';

/** Creates users as a request, a command or a line of an import orders them (U-6). */
@Injectable()
export class UserRegistration {
  constructor(
    private readonly users: Users,
    private readonly passwords: Passwords,
  ) {}

  /** Throws as `Users.create` does, and 503 where too many passwords are to be hashed. */
  async register({ password, ...order }: NewUserDto, by: Actor): Promise<UserView> {
    const passwordHash = password === undefined ? undefined : await this.passwords.hash(password);
    return this.users.create({ ...order, passwordHash }, by);
  }
}
