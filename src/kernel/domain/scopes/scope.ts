import type { EventStatus } from '../event-record.js';

/** Per client or role: a token with more would not fit into request headers. */
export const MOST_SCOPES = 100;
/** Characters of all scopes together. */
export const LONGEST_SCOPES = 6_000;

/** Relative to the caller's office. */
export type Jurisdiction = 'all' | 'administrativeArea' | 'location';

/** Where a record belongs, relative to the caller's office. */
export const PLACE_OPTIONS = ['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn'] as const;

export type PlaceOption = (typeof PLACE_OPTIONS)[number];

/** Relative to the caller's office; `accessLevel`, in scopes on users, is their place of work. */
export const OFFICE_OPTIONS = [...PLACE_OPTIONS, 'accessLevel'] as const;

export type OfficeOption = (typeof OFFICE_OPTIONS)[number];

export const AUTHOR_OPTIONS = ['declaredBy', 'registeredBy', 'notifiedBy'] as const;

export type AuthorOption = (typeof AUTHOR_OPTIONS)[number];

/** All options present must hold. */
export interface ScopeOptions
  extends Readonly<Partial<Record<OfficeOption, Jurisdiction>>>, Readonly<Partial<Record<AuthorOption, 'user'>>> {
  readonly event?: readonly string[];
  readonly status?: readonly EventStatus[];
  readonly flags?: {
    readonly anyOf?: readonly string[];
    readonly noneOf?: readonly string[];
    readonly allOf?: readonly string[];
  };
  /** Permitted custom actions or certificate templates; not a restriction of records. */
  readonly customActionTypes?: readonly string[];
  readonly templates?: readonly string[];
  /** In scopes on users: their roles. */
  readonly role?: readonly string[];
  /** In scopes that list screen contents: unused here. */
  readonly ids?: readonly string[];
}

export interface DecodedScope {
  readonly type: string;
  readonly options: ScopeOptions;
}
