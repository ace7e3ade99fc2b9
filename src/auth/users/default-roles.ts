import type { Role } from '../../kernel/domain/role.js';

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

/** Default roles (U-6), under upstream's ids. */
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
