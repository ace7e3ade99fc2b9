import type { Role } from '../../domain/role.js';

const AT = { office: 'placeOfEvent=location', area: 'placeOfEvent=administrativeArea' } as const;
const REGISTERED_IN_AREA = 'registeredIn=administrativeArea';

const scoped = (option: string, ...types: readonly string[]): readonly string[] =>
  types.map((type) => `type=${type}&${option}`);

const INTAKE = ['record.search', 'record.read', 'record.create', 'record.notify', 'record.edit'] as const;
const OFFICE = ['record.declare', 'record.reject', 'record.archive'] as const;

/** The roles of a country that names none with `ROLES_FILE` (U-6), under upstream's ids. */
export const DEFAULT_ROLES: readonly Role[] = [
  {
    id: 'HOSPITAL_CLERK',
    label: 'Hospital clerk',
    scopes: [...scoped(AT.office, ...INTAKE, 'record.declare'), 'attachment.upload'],
  },
  {
    id: 'COMMUNITY_LEADER',
    label: 'Community leader',
    scopes: [...scoped(AT.office, ...INTAKE), 'attachment.upload'],
  },
  {
    id: 'REGISTRATION_AGENT',
    label: 'Registration officer',
    scopes: [
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
      ...INTAKE,
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
    scopes: scoped('accessLevel=administrativeArea', 'user.create', 'user.update', 'user.read'),
  },
  { id: 'NATIONAL_SYSTEM_ADMIN', label: 'National administrator', scopes: ['natlsysadmin', 'sysadmin'] },
];
