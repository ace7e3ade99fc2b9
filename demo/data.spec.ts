import { CULTURES } from './data.js';

const peoples = [...CULTURES.values()];

describe('the names of the peoples', () => {
  it('are composed text without white space around', () => {
    for (const { male, female, surnames } of peoples) {
      const names = [...male, ...female, ...surnames];
      expect(names.filter((name) => name === '' || name !== name.trim() || name !== name.normalize('NFC'))).toEqual([]);
    }
  });

  it('are thousands of different words', () => {
    const names = peoples.flatMap(({ male, female, surnames }) => [...male, ...female, ...surnames]);
    expect(new Set(names).size).toBeGreaterThan(4_000);
  });

  it('have the form that a woman bears', () => {
    const feminine = (people: string, names: readonly string[]): unknown =>
      names.map((name) => CULTURES.get(people)?.feminine(name));
    expect(feminine('CYRILLIC', ['Иванов', 'Королёв', 'Достоевский', 'Пушкин', 'Шевченко'])).toEqual([
      ...['Иванова', 'Королёва', 'Достоевская', 'Пушкина', 'Шевченко'],
    ]);
    expect(feminine('SLAVIC', ['Kowalski', 'Černý', 'Nowak'])).toEqual(['Kowalska', 'Černá', 'Nowak']);
  });
});
