import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { parseImportLine } from './import-records.js';

const MOST = 20_000;

/** As many values as fit into so short a line. */
const aListOf = (values: number): string => `[${'1,'.repeat(values - 1)}1]`;

describe('a line of an import', () => {
  it('is rejected for too many values, however short they are', () => {
    expect(parseImportLine({ text: aListOf(MOST + 1), fault: undefined })).toEqual({
      kind: 'rejected',
      id: undefined,
      issues: [{ message: `body: has more than ${MOST} values` }],
    });
  });

  it('is not parsed if it has far too many, whatever it is', () => {
    const text = '['.repeat(2 * MOST + 1);
    const issues = [{ message: `body: has more than ${MOST} values` }];
    expect(parseImportLine({ text, fault: undefined })).toEqual({ kind: 'rejected', id: undefined, issues });
  });

  it('is rejected for a name of invisible characters alone, in a record and in an action', () => {
    const declaration = { 'child.name': { firstname: '\u200b' } };
    const issuesOf = (value: object): unknown => {
      const line = parseImportLine({ text: JSON.stringify(value), fault: undefined });
      return line.kind === 'rejected' && line.issues.filter(({ message }) => message.includes('child.name'));
    };
    const fault = 'declaration["child.name"]: must be a name with a visible character';
    expect(issuesOf(aRecord({ declaration }))).toEqual([{ message: fault }]);
    expect(issuesOf({ actions: [{ declaration }] })).toEqual([{ message: `actions[0].${fault}` }]);
  });

  it('is rejected where a key is given twice, at any depth', () => {
    const id = aUuid();
    const reject = (text: string): unknown => parseImportLine({ text, fault: undefined });
    const rejected = (message: string): unknown => ({ kind: 'rejected', id, issues: [{ message }] });
    expect(reject(`{"id":"${id}","type":"birth","type":"death"}`)).toEqual(rejected('type: is given twice'));
    expect(reject(`{"id":"${id}","declaration":{"child.name":{"firstname":"A","\\u0066irstname":"B"}}}`)).toEqual(
      rejected('declaration["child.name"].firstname: is given twice'),
    );
  });

  it('is rejected for a number that would lose digits, as for one that is too large (E-3)', () => {
    const id = aUuid();
    const line = parseImportLine({
      text: `{"id":"${id}","actions":[{"declaration":{"a":12345678901234567890,"b":[0.1234567890123456789],"c":0.1}}]}`,
      fault: undefined,
    });
    const issues = line.kind === 'rejected' ? line.issues.filter(({ message }) => message.includes('declaration')) : [];
    const fault = 'must be a number that can be kept exactly; longer ones go in as text';
    expect(issues).toEqual([
      { message: `actions[0].declaration.a: ${fault}` },
      { message: `actions[0].declaration.b[0]: ${fault}` },
    ]);
  });

  it('is named by an id that is no id, but not by a whole line of one', () => {
    const idOf = (id: string): unknown => {
      const line = parseImportLine({ text: JSON.stringify({ id }), fault: undefined });
      return line.kind === 'rejected' ? line.id : line.kind;
    };
    expect(idOf('0017/2026')).toBe('0017/2026');
    expect(idOf('7'.repeat(900_000))).toBeUndefined();
  });

  it('may have as many as are allowed', () => {
    const line = parseImportLine({ text: aListOf(MOST), fault: undefined });
    expect(JSON.stringify(line)).not.toContain('values');
  });
});
