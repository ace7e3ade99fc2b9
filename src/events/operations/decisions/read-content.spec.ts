import { Faults } from '../../../kernel/errors/faults.js';
import { readContent } from './asked-action.js';

it('an id in the content of an action is in lower case, as stored ones are', () => {
  const faults = new Faults();
  const duplicateOf = 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA';
  expect(readContent('MARK_AS_DUPLICATE', { duplicateOf }, faults)).toEqual({ duplicateOf: duplicateOf.toLowerCase() });
  expect(readContent('REJECT', { reason: 'Too LATE' }, faults)).toEqual({ reason: 'Too LATE' });
  expect(faults.issues).toEqual([]);
});

it('a reason has 10,000 characters at most, of whatever script', () => {
  const faults = new Faults();
  const reason = '𐒖'.repeat(10_000);
  expect(readContent('REJECT', { reason }, faults)).toEqual({ reason });
  expect(faults.issues).toEqual([]);
  readContent('REJECT', { reason: `${reason}a` }, faults);
  expect(faults.issues).toEqual([{ message: 'content.reason: must be text of 1 to 10000 characters' }]);
});
