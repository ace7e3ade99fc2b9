import { Inject, Injectable } from '@nestjs/common';
import type { Grant } from '../../kernel/domain/scopes/caller.js';
import { grantsOf } from '../access/scope-permissions.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/read-config.js';
import type { Role } from '../../kernel/domain/role.js';
import { DEFAULT_ROLES } from './default-roles.js';

/** A role, with what its scopes grant. */
export interface KnownRole extends Role {
  readonly grants: readonly Grant[];
}

/** The roles of users: those of `ROLES_FILE`, or a set that ships (U-6). They stay as they are until a restart. */
@Injectable()
export class Roles {
  private readonly roles: ReadonlyMap<string, KnownRole>;

  /** Throws `ConfigError` with one fault, and its place, for each scope that this service does not understand. */
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

  /** In the order of the file. */
  get all(): readonly KnownRole[] {
    return [...this.roles.values()];
  }

  /** The role with this id; undefined for one that the file does not have, or no longer has. */
  find(id: string): KnownRole | undefined {
    return this.roles.get(id);
  }

  /** The ids of the roles that are a national administrator's. */
  get nationalAdministrators(): readonly string[] {
    return this.all
      .filter(({ grants }) => grants.some(({ permission }) => permission === 'natlsysadmin'))
      .map(({ id }) => id);
  }
}
