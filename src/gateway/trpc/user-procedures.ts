import { Injectable } from '@nestjs/common';
import { requireUuid } from '../../kernel/input/readers.js';
import { UserAdministration } from '../../auth/user-administration/user-administration.js';
import { UsersController } from '../../auth/user-administration/users.controller.js';
import { type Procedures, requireAccess } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

/** `user.get` (I-4), as the route; users may read themselves. */
@Injectable()
export class UserProcedures {
  constructor(private readonly administration: UserAdministration) {}

  procedures(): Procedures {
    const { access, ...rules } = rulesOfRoute(UsersController, 'get');
    return {
      'user.get': {
        kind: 'query',
        access: 'authenticated',
        ...rules,
        run: async (input, { caller }) => {
          if (input !== caller.subject) requireAccess(access, caller);
          return this.administration.find(requireUuid(input, 'input'), caller);
        },
      },
    };
  }
}
