import { memberPath } from './faults.js';

describe('the path of a member', () => {
  it.each([
    ['', 'query', 'query'],
    ['query', 'clauses', 'query.clauses'],
    ['query.clauses', 0, 'query.clauses[0]'],
    ['', 3, '[3]'],
    ['data', 'child.name', 'data["child.name"]'],
    ['data["child.name"]', 'term', 'data["child.name"].term'],
    ['', 'child.name', '["child.name"]'],
    ['data', '$ref_1', 'data.$ref_1'],
    ['data', '__proto__', 'data.__proto__'],
    ['data', '', 'data[""]'],
    ['data', '0', 'data["0"]'],
    ['data', 'name ', 'data["name "]'],
    ['data', 'né', 'data["né"]'],
    ['data', 'a"b\\c', 'data["a\\"b\\\\c"]'],
    ['data', 'line\nend', 'data["line\\nend"]'],
    ['data', 'name\n', 'data["name\\n"]'],
    ['data', '\ud800', 'data["\\ud800"]'],
    ['data', 'k'.repeat(300), `data.${'k'.repeat(300)}`],
    ['data', 'k'.repeat(301), `data["${'k'.repeat(300)}…"]`],
  ])('below %j, %j is %s', (parent, key, path) => {
    expect(memberPath(parent, key)).toBe(path);
  });
});
