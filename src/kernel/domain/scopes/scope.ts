import type { EventStatus } from '../event-status.js';

/** The area of a scope's jurisdiction option, relative to the caller's office. */
export type Jurisdiction = 'all' | 'administrativeArea' | 'location';

/** The options that say where a record belongs, relative to the caller's office. */
export const PLACE_OPTIONS = ['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn'] as const;

export type PlaceOption = (typeof PLACE_OPTIONS)[number];

/** All options that refer to the caller's office; `accessLevel`, of scopes on users, says where they work. */
export const OFFICE_OPTIONS = [...PLACE_OPTIONS, 'accessLevel'] as const;

export type OfficeOption = (typeof OFFICE_OPTIONS)[number];

/** The options that admit what the caller has done himself. */
export const AUTHOR_OPTIONS = ['declaredBy', 'registeredBy', 'notifiedBy'] as const;

export type AuthorOption = (typeof AUTHOR_OPTIONS)[number];

/** The options of one scope: all that are present must hold. */
export interface ScopeOptions
  extends Readonly<Partial<Record<OfficeOption, Jurisdiction>>>, Readonly<Partial<Record<AuthorOption, 'user'>>> {
  readonly event?: readonly string[];
  readonly status?: readonly EventStatus[];
  readonly flags?: {
    readonly anyOf?: readonly string[];
    readonly noneOf?: readonly string[];
    readonly allOf?: readonly string[];
  };
  /** The custom actions, and the certificate templates, that the scope permits; says nothing about the record. */
  readonly customActionTypes?: readonly string[];
  readonly templates?: readonly string[];
  /** Of scopes on users: which roles they have. */
  readonly role?: readonly string[];
  /** Of scopes that list what a screen shows: nothing here depends on them. */
  readonly ids?: readonly string[];
}

/** A parsed scope string: its type (`record.search`) and its options. */
export interface DecodedScope {
  readonly type: string;
  readonly options: ScopeOptions;
}
