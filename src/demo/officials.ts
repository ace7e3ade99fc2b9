import type { UserType } from '../domain/record/user-type.js';
import type { Uuid } from '../domain/uuid.js';
import { drawUuid } from './draw-uuid.js';
import type { LocationEntry } from './places/locations-file.js';
import type { Prng } from './prng.js';

/** What an official does. */
export type Role =
  | 'REGISTRATION_AGENT'
  | 'LOCAL_REGISTRAR'
  | 'PROVINCIAL_REGISTRAR'
  | 'NATIONAL_REGISTRAR'
  | 'HEALTH_OFFICER'
  | 'COMMUNITY_LEADER';

/** Who takes an action: a user with a role, or a system client, which has none. */
export interface Official {
  readonly id: Uuid;
  readonly userType: UserType;
  readonly role?: Role;
  readonly location: Uuid;
}

/** A user with this role, who works at this place. */
export const drawUser = (prng: Prng, role: Role, at: LocationEntry): Official => ({
  id: drawUuid(prng),
  userType: 'user',
  role,
  location: at.id,
});

/** A system client acting for a place; one client may act for many. */
export const systemAt = (client: Uuid, at: LocationEntry): Official => ({
  id: client,
  userType: 'system',
  location: at.id,
});
