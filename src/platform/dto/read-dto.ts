import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { Faults } from '../../kernel/errors/faults.js';
import { invalidInput } from '../../kernel/errors/invalid-input.js';
import { BoundedFaults } from '../../kernel/input/bounded-faults.js';
import { isObject } from '../../kernel/input/is-object.js';
import { keysOf, knownMembers } from './known-members.js';
import { checkOf, type Dto } from './members.js';
import { addValidationFaults } from './validation-faults.js';

export const isDto = (type: unknown): type is Dto => typeof type === 'function' && keysOf(type as Dto).length > 0;

/**
 * For bodies, query strings and command options. Throws 400 with one issue per fault (G-4), at most a hundred; unknown
 * keys are faults.
 */
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
