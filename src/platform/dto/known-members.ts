import { getMetadataStorage } from 'class-validator';
import { type Faults, memberPath } from '../../kernel/errors/faults.js';
import { isObject } from '../../kernel/input/checks.js';
import { type Dto, isPassedOn, nestedDtoOf } from './members.js';

type Members = Readonly<Record<string, unknown>>;

/** In member order; empty for a class that is not a DTO. */
export const keysOf = (dto: Dto): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/**
 * Unknown keys are faults (S-2). class-transformer gets known members only, since it takes quadratic time for keys and
 * drops reserved ones.
 */
export function knownMembers(dto: Dto, value: Members, faults: Faults, path = ''): Members {
  const known = keysOf(dto);
  const unknown = `is not a known key; allowed: ${known.join(', ')}`;
  const members: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const memberAt = (): string => memberPath(path, key);
    if (!known.includes(key)) faults.add(memberAt, unknown);
    else if (typeof member !== 'object' || member === null) members[key] = member;
    else
      members[key] = handedOver(dto, key, member, (nested, object) => knownMembers(nested, object, faults, memberAt()));
  }
  return members;
}

function handedOver(dto: Dto, key: string, member: object, walk: (nested: Dto, object: Members) => Members): unknown {
  if (isPassedOn(dto, key)) return () => member;
  const nested = nestedDtoOf(dto, key);
  if (nested !== undefined) return isObject(member) ? walk(nested, member) : [];
  return Array.isArray(member) ? member.map(withoutMembers) : {};
}

const withoutMembers = (item: unknown): unknown => (typeof item === 'object' && item !== null ? {} : item);
