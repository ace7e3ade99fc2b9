import { Inject, Injectable } from '@nestjs/common';
import type { DocumentTable } from '../../kernel/domain/record-columns.js';
import type { Role } from '../../kernel/domain/role.js';
import type { Grant } from '../../kernel/domain/scopes/caller.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/read-config.js';
import { grantsOf } from '../access/scope-permissions.js';

/** A child may be born far from where it is declared. */
const AT = {
  office: ['placeOfEvent=location', 'declaredIn=location', 'notifiedIn=location'],
  area: ['placeOfEvent=administrativeArea', 'declaredIn=administrativeArea', 'notifiedIn=administrativeArea'],
} as const;
const REGISTERED_IN_AREA = ['registeredIn=administrativeArea'] as const;

const scoped = (options: readonly string[], ...types: readonly string[]): readonly string[] =>
  types.flatMap((type) => options.map((option) => `type=${type}&${option}`));

/** Drafts have only a place of event, since nobody has declared or notified them. */
const begun = ([placeOfEvent]: readonly [string, ...string[]], ...types: readonly string[]): readonly string[] =>
  scoped([placeOfEvent], ...types);

const BEGUN = ['record.create', 'record.notify'] as const;
const INTAKE = ['record.search', 'record.read', 'record.edit'] as const;
const OFFICE = ['record.reject', 'record.archive'] as const;

export const DEFAULT_ROLES: readonly Role[] = [
  {
    id: 'HOSPITAL_CLERK',
    label: 'Hospital clerk',
    scopes: [...begun(AT.office, ...BEGUN, 'record.declare'), ...scoped(AT.office, ...INTAKE), 'attachment.upload'],
  },
  {
    id: 'COMMUNITY_LEADER',
    label: 'Community leader',
    scopes: [...begun(AT.office, ...BEGUN), ...scoped(AT.office, ...INTAKE), 'attachment.upload'],
  },
  {
    id: 'REGISTRATION_AGENT',
    label: 'Registration officer',
    scopes: [
      ...begun(AT.area, ...BEGUN, 'record.declare'),
      ...scoped(AT.area, ...INTAKE, ...OFFICE),
      ...scoped(REGISTERED_IN_AREA, 'record.print-certified-copies', 'record.request-correction'),
      'attachment.upload',
      'type=user.read&accessLevel=administrativeArea',
    ],
  },
  {
    id: 'LOCAL_REGISTRAR',
    label: 'Registrar',
    scopes: [
      ...begun(AT.area, ...BEGUN, 'record.declare'),
      ...scoped(AT.area, ...INTAKE, ...OFFICE, 'record.review-duplicates', 'record.register', 'record.unassign-others'),
      ...scoped(REGISTERED_IN_AREA, 'record.print-certified-copies', 'record.correct'),
      'attachment.upload',
      'type=user.read&accessLevel=administrativeArea',
    ],
  },
  {
    id: 'NATIONAL_REGISTRAR',
    label: 'Registrar general',
    scopes: [
      ...BEGUN,
      ...INTAKE,
      'record.declare',
      ...OFFICE,
      'record.unarchive',
      'record.review-duplicates',
      'record.register',
      'record.print-certified-copies',
      'record.correct',
      'record.revoke-registration',
      'record.reinstate-registration',
      'record.deactivate-registration',
      'record.reactivate-registration',
      'record.custom-action',
      'record.unassign-others',
      'attachment.upload',
      'user.read',
    ],
  },
  {
    id: 'LOCAL_SYSTEM_ADMIN',
    label: 'Administrator of an area',
    scopes: scoped(['accessLevel=administrativeArea'], 'user.create', 'user.update', 'user.read'),
  },
  { id: 'NATIONAL_SYSTEM_ADMIN', label: 'National administrator', scopes: ['natlsysadmin', 'sysadmin'] },
];

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

export const roleTable = (): DocumentTable => ({
  heads: ['role', 'label', 'scopes'],
  rows: DEFAULT_ROLES.map(({ id, label, scopes }) => [`\`${id}\``, label, shown(scopes)]),
});

/** Scopes that differ in type alone are merged: `type=… with placeOfEvent=location`. */
function shown(scopes: Role['scopes']): string {
  const byOptions = new Map<string, string[]>();
  for (const scope of scopes) {
    const [type = '', ...options] = scope.replace(/^type=/, '').split('&');
    const key = options.join('&');
    byOptions.set(key, [...(byOptions.get(key) ?? []), `\`${type}\``]);
  }
  return [...byOptions]
    .map(([options, types]) => `${types.join(', ')}${options === '' ? '' : ` with \`${options}\``}`)
    .join('; ');
}
