import { validateSync } from 'class-validator';

import { IsName } from './validators.js';

class Place {
  @IsName()
  name: unknown;
}
const faultsOf = (name: unknown): unknown =>
  validateSync(Object.assign(new Place(), { name })).map(({ constraints }) => constraints);

const REFUSED = [
  { isName: 'must be visible text of 1 to 256 characters without control characters and without unpaired surrogates' },
] as const;

describe('a name', () => {
  it.each([
    ['x', []],
    ['x'.repeat(256), []],
    // Adlam, in which each letter is two UTF-16 code units: the API description counts it as one, as JSON Schema does.
    ['\u{1E922}'.repeat(256), []],
    ['\u{1E922}'.repeat(257), REFUSED],
    ['x'.repeat(257), REFUSED],
    ['', REFUSED],
    [' ', REFUSED],
    ['\u200b\u3164 \u2060', REFUSED],
    ['\u200bx', []],
    ['\ud83a', REFUSED],
    [7, REFUSED],
  ])('of %j', (name, faults) => {
    expect(faultsOf(name)).toEqual(faults);
  });
});
