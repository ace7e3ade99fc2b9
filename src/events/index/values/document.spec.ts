import { documentOf, factLines, lineOf } from './document.js';

describe('a document', () => {
  it('is the answer on a line of its own, and a line for each field', () => {
    const facts = factLines({ 'child.dob': { d: '2024-02-29' }, 'child.nid': '1234567890' });
    expect(documentOf({ body: '{"id":"x"}', facts })).toBe(
      '{"id":"x"}\n"child.dob":{"d":"2024-02-29"}\n"child.nid":"1234567890"',
    );
  });

  it('is the answer and an empty line where nothing is declared', () => {
    expect(documentOf({ body: '{}', facts: factLines({}) })).toBe('{}\n');
  });

  it('has a line for each field whatever its id and its text contain', () => {
    const field = 'a "line"\nof\u2028two';
    const lines = factLines({ [field]: 'x\n"y":1', y: 2 });
    expect(lines.split('\n')).toHaveLength(2);
    expect(`\n${lines}`.startsWith(lineOf(field))).toBe(true);
    expect(`\n${lines}`.split(lineOf('y'))).toHaveLength(2);
  });
});
