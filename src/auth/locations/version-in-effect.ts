import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { ALWAYS, type PlaceState, type PlaceVersion, type PlaceVersions } from '../../kernel/domain/location.js';

type StateInEffect = PlaceState & Pick<PlaceVersion, 'effectiveFrom'>;

/**
 * The latest version begun on the day (L-2); before the first, inactive under its earliest name. Dates compare as text.
 */
export function stateOn(versions: PlaceVersions, day: CalendarDate): StateInEffect {
  const [earliest] = versions;
  if (versions.length === 1 && earliest.effectiveFrom <= day) return earliest;
  const version = versions.findLast(({ effectiveFrom }) => effectiveFrom <= day);
  return version ?? { name: earliest.name, externalId: earliest.externalId, status: 'inactive', effectiveFrom: ALWAYS };
}
