import { Faults } from '../../../errors/faults.js';
import { readContent } from './read-content.js';

it('an id in the content of an action is in lower case, as stored ones are', () => {
  const faults = new Faults();
  const duplicateOf = 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA';
  expect(readContent('MARK_AS_DUPLICATE', { duplicateOf }, faults)).toEqual({ duplicateOf: duplicateOf.toLowerCase() });
  expect(readContent('REJECT', { reason: 'Too LATE' }, faults)).toEqual({ reason: 'Too LATE' });
  expect(faults.issues).toEqual([]);
});
