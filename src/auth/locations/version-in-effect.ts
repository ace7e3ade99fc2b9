import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { ALWAYS, type PlaceState, type PlaceVersion, type PlaceVersions } from '../../kernel/domain/location.js';

/** A state, and the day since when it holds. */
type StateInEffect = PlaceState & Pick<PlaceVersion, 'effectiveFrom'>;

/**
 * The state of a place on a day: that of the latest version that has begun (L-2). Before the first one it is inactive,
 * under its earliest name. Calendar dates compare as text.
 */
export function stateOn(versions: PlaceVersions, day: CalendarDate): StateInEffect {
  const [earliest] = versions;
  if (versions.length === 1 && earliest.effectiveFrom <= day) return earliest;
  const version = versions.findLast(({ effectiveFrom }) => effectiveFrom <= day);
  return version ?? { name: earliest.name, externalId: earliest.externalId, status: 'inactive', effectiveFrom: ALWAYS };
}
