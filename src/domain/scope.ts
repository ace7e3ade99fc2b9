import type { EventStatus } from './record/event-status.js';

/** The area of a scope's jurisdiction option, relative to the caller's office. */
export type Jurisdiction = 'all' | 'administrativeArea' | 'location';

/** The options of one record scope: all that are present must hold. */
export interface ScopeOptions {
  readonly event?: readonly string[];
  readonly status?: readonly EventStatus[];
  readonly flags?: {
    readonly anyOf?: readonly string[];
    readonly noneOf?: readonly string[];
    readonly allOf?: readonly string[];
  };
  readonly placeOfEvent?: Jurisdiction;
  readonly declaredIn?: Jurisdiction;
  readonly registeredIn?: Jurisdiction;
  readonly notifiedIn?: Jurisdiction;
  readonly declaredBy?: 'user';
  readonly registeredBy?: 'user';
  readonly notifiedBy?: 'user';
  /** The custom actions, and the certificate templates, that the scope permits; says nothing about the record. */
  readonly customActionTypes?: readonly string[];
  readonly templates?: readonly string[];
  /** Of scopes on users: where they work, relative to the caller's office, and which roles they have. */
  readonly accessLevel?: Jurisdiction;
  readonly role?: readonly string[];
  /** Of scopes that list what a screen shows: nothing here depends on them. */
  readonly ids?: readonly string[];
}

/** A parsed scope string: its type (`record.search`) and its options. */
export interface DecodedScope {
  readonly type: string;
  readonly options: ScopeOptions;
}
