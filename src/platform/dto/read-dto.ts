import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { type Faults, invalidInput, memberPath } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { isObject } from '../../kernel/input/checks.js';
import { checkOf, type Dto, isPassedOn, mayRepeat, nestedDtoOf } from './members.js';

type Members = Readonly<Record<string, unknown>>;

/** In member order; empty for a class that is not a DTO. */
export const keysOf = (dto: Dto): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** Unknown keys are faults (S-2); class-transformer, which takes quadratic time for keys, gets known ones. */
function knownMembers(dto: Dto, value: Members, faults: Faults, path = ''): Members {
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

/** With paths: `client_id: must be a UUID`. A missing member or a wrong type hides what is below it. */
function addValidationFaults(faults: Faults, errors: readonly ValidationError[], parent = ''): void {
  for (const { property, value, constraints, children } of errors) {
    const path = memberPath(parent, property);
    const [first] = Object.entries(constraints ?? {});
    if (first === undefined) addValidationFaults(faults, children ?? [], path);
    else if (value === undefined) faults.add(path, 'is required');
    else faults.add(path, wrongType(constraints ?? {}, value) ?? withoutProperty(first[1], property));
  }
}

/** class-validator reports these for other types too, without naming the wanted type. */
const OF_TEXTS: readonly string[] = ['isLength', 'minLength', 'maxLength', 'matches'];
const OF_EACH = 'each value in ';

/** Reported first; undefined if the type is right, or the message says so itself. */
function wrongType(constraints: Readonly<Record<string, string>>, value: unknown): string | undefined {
  const [ofTexts] = OF_TEXTS.flatMap((name) => constraints[name] ?? []);
  if (ofTexts === undefined) return undefined;
  if (Array.isArray(value) && ofTexts.startsWith(OF_EACH)) {
    return value.some((item) => typeof item !== 'string') ? 'each item must be a string' : undefined;
  }
  return typeof value === 'string' || ofTexts.startsWith(OF_EACH) ? undefined : 'must be a string';
}

/** The path already contains the member's name, with which class-validator begins. */
const withoutProperty = (message: string, property: string): string =>
  message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;

export const isDto = (type: unknown): type is Dto => typeof type === 'function' && keysOf(type as Dto).length > 0;

/** For bodies, query strings and command options. 400 with one issue per fault (G-4), at most a hundred. */
export async function readDto<T extends object>(dto: Dto<T>, value: unknown): Promise<T> {
  if (!isObject(value)) {
    const message = `body: ${value === undefined ? 'is required' : 'must be an object'}`;
    throw invalidInput(message);
  }
  const faults = new BoundedFaults();
  const read = plainToInstance(dto, knownMembers(dto, value, faults));
  addValidationFaults(faults, await validate(read));
  // Otherwise their users check them, once.
  if (!faults.none) await checkPassedOn(dto, value, faults);
  faults.throwIfAny();
  return read;
}

async function checkPassedOn(dto: Dto, value: Readonly<Record<string, unknown>>, faults: Faults): Promise<void> {
  for (const key of keysOf(dto)) {
    if (Object.hasOwn(value, key)) await checkOf(dto, key)?.(value[key], key, faults);
  }
}

/** As `readDto`. A repeated parameter arrives as a list, so its fault names the repetition instead of a wrong type. */
export async function readQuery<T extends object>(dto: Dto<T>, query: unknown): Promise<T> {
  try {
    return await readDto(dto, query);
  } catch (error) {
    if (!(error instanceof ServiceError) || !isObject(query)) throw error;
    const repeated = keysOf(dto).filter((key) => Array.isArray(query[key]) && !mayRepeat(dto, key));
    const issues = error.issues.map((issue) => {
      const key = repeated.find((one) => issue.message.startsWith(`${one}: `));
      return key === undefined ? issue : { message: `${key}: is given more than once` };
    });
    throw new ServiceError(error.code, error.message, { issues });
  }
}
