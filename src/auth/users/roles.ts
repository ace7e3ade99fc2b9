import { Inject, Injectable } from '@nestjs/common';
import type { Grant } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from '../access/scope-permissions.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/read-config.js';
import type { Role } from '../../kernel/domain/role.js';
import { DEFAULT_ROLES } from './default-roles.js';

export interface KnownRole extends Role {
  readonly grants: readonly Grant[];
}

/** Roles of `ROLES_FILE`, or the default ones (U-6), fixed until restart. */
@Injectable()
export class Roles {
  private readonly roles: ReadonlyMap<string, KnownRole>;

  /** Throws `ConfigError` with each unknown scope's place. */
  constructor(@Inject(CONFIG) { ROLES: configured }: Pick<Config, 'ROLES'>) {
    const faults: string[] = [];
    const roles = (configured ?? DEFAULT_ROLES).map((role, at) => ({
      ...role,
      grants: role.scopes.flatMap((scope, nth) =>
        grantsOf([scope], () => {
          faults.push(`ROLES: [${at}].scopes[${nth}]: ${JSON.stringify(scope)} is no scope of this service`);
        }),
      ),
    }));
    if (faults.length > 0) throw new ConfigError(faults);
    this.roles = new Map(roles.map((role) => [role.id, role]));
  }

  /** In file order. */
  get all(): readonly KnownRole[] {
    return [...this.roles.values()];
  }

  find(id: string): KnownRole | undefined {
    return this.roles.get(id);
  }

  get nationalAdministrators(): readonly string[] {
    return this.all
      .filter(({ grants }) => grants.some(({ permission }) => permission === 'natlsysadmin'))
      .map(({ id }) => id);
  }
}
