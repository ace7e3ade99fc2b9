import { combined, CULTURES, CYRILLIC, listed, SLAVIC } from './names.js';

describe('the names of the peoples', () => {
  it('are composed text without white space around', () => {
    for (const [, { male, female, surnames }] of CULTURES) {
      const names = [...male, ...female, ...surnames];
      expect(names.filter((name) => name === '' || name !== name.trim() || name !== name.normalize('NFC'))).toEqual([]);
    }
  });

  it('are thousands of different words', () => {
    const names = CULTURES.flatMap(([, { male, female, surnames }]) => [...male, ...female, ...surnames]);
    expect(new Set(names).size).toBeGreaterThan(4_000);
  });

  it('have the form that a woman bears', () => {
    const cyrillic = ['Иванов', 'Королёв', 'Достоевский', 'Пушкин', 'Шевченко'].map((name) =>
      CYRILLIC.feminine?.(name),
    );
    expect(cyrillic).toEqual(['Иванова', 'Королёва', 'Достоевская', 'Пушкина', 'Шевченко']);
    expect(['Kowalski', 'Černý', 'Nowak'].map((name) => SLAVIC.feminine?.(name))).toEqual([
      'Kowalska',
      'Černá',
      'Nowak',
    ]);
  });

  it('are listed as text, and combined from stems and endings, the first of each first', () => {
    expect(listed('\n  Ana, Nuño Álvaro,\n  Zé\n')).toEqual(['Ana', 'Nuño Álvaro', 'Zé']);
    expect(combined(['a', 'b'], ['x', 'y'], '-')).toEqual(['a-x', 'b-x', 'a-y', 'b-y']);
  });
});
