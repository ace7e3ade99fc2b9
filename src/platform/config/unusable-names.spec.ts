import { Ajv2020 } from 'ajv/dist/2020.js';

import { EVENT_CONFIGURATION_SCHEMA } from './event-configuration-file.js';
import { readEventTypes } from './read-event-configuration.js';

const validate = new Ajv2020({ strict: false, unicodeRegExp: true }).compile(EVENT_CONFIGURATION_SCHEMA);

/** The faults of a file of one type, and whether the published schema accepts it. */
const readingOf = (entry: object): readonly unknown[] => {
  const events = [{ id: 'adoption', fields: [{ id: 'court', kind: 'TEXT' }], ...entry }];
  const read = readEventTypes(JSON.stringify({ events }));
  const faults = read.kind === 'faulty' ? read.issues.map(({ message }) => message) : [];
  return [validate({ events }), ...faults];
};

describe('a name that nobody could use', () => {
  it.each(['.', '..'])('is refused of a type of event, which stands in addresses: %s', (id) => {
    expect(readingOf({ id })).toEqual([
      false,
      'events[0].id: must be a name of at most 64 letters, digits, dots, dashes and underscores, other than . and ..',
    ]);
  });

  it.each(['...', '.a', 'a..', 'constructor', 'État-2'])('is none of those that only look like one: %s', (id) => {
    expect(readingOf({ id })).toEqual([true]);
  });

  it('is refused of a field, in the form of a declaration and of an annotation', () => {
    const unusable = [{ id: '__proto__', kind: 'TEXT', required: true }];
    const fault =
      'must be text of 1 to 256 characters without U+0000 and without unpaired surrogates, other than __proto__';
    expect(readingOf({ fields: unusable })).toEqual([false, `events[0].fields[0].id: ${fault}`]);
    expect(readingOf({ actions: [{ type: 'DECLARE', form: unusable }] })).toEqual([
      false,
      `events[0].actions[0].form[0].id: ${fault}`,
    ]);
    expect(readingOf({ fields: [{ id: 'constructor', kind: 'TEXT' }] })).toEqual([true]);
  });
});
