import { Faults } from '../../kernel/errors/faults.js';
import { checkName } from './sound-registration.js';

function issuesOf(name: unknown): readonly string[] {
  const faults = new Faults();
  checkName(name, 'name', faults);
  return faults.issues.map(({ message }) => message);
}

describe('the name of a client', () => {
  it.each([
    ['x'.repeat(200), []],
    // Two UTF-16 code units each: the API description counts code points, as JSON Schema does.
    ['\u{1E922}'.repeat(200), []],
    ['\u{1E922}'.repeat(201), ['name: must be at most 200 characters']],
    ['x'.repeat(201), ['name: must be at most 200 characters']],
    [' ', ['name: Integration name is required']],
    ['\ud83a', ['name: must be text without U+0000 and without unpaired surrogates']],
    [7, ['name: must be a string']],
  ])('%j', (name, issues) => {
    expect(issuesOf(name)).toEqual(issues);
  });
});
