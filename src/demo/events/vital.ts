import type { DeclarationValue } from '../../domain/record/declaration.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Ward } from '../country.js';

/** Field id to value, while a declaration is being filled in. */
export type Fields = Record<string, DeclarationValue>;

/**
 * How an event comes to the registry: notified by the system of a health facility, notified by a health officer or a
 * community leader, declared at a registration post, or declared and registered at the district's registry.
 */
export type Channel = 'facility' | 'field' | 'office' | 'registry';

/** Where and how an event comes in, and when; it happened before that. */
export interface Arrival {
  readonly ward: Ward;
  readonly channel: Channel;
  readonly happenedMs: number;
  readonly arrivedMs: number;
}

/** A birth, death or marriage as the people concerned know it. */
export interface Vital extends Arrival {
  readonly type: 'birth' | 'death' | 'marriage';
  readonly place: Uuid;
  /** The field that holds the name of whom the record is about. */
  readonly nameField: string;
  /** What whoever notifies the event knows of it. */
  readonly notified: Fields;
  /** The whole declaration. */
  readonly declared: Fields;
}
