/** The two forms in which texts are compared. */
export type NormalForm = 'NFC' | 'NFKD';

/** Text without more marks in a row is Stream-Safe (UAX 15, 13), as all that people write is. */
const MOST_MARKS = 30;
/** Marks, and two letters that become marks in NFKD: the voicing marks of halfwidth kana. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31,}/gu;

/** The marks of the lowest and of the highest class. */
const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];
/** One mark of each class that has been met, in the order of the classes. */
const classes: string[] = [];
/** By a mark, the one that stands for its class in `classes`; undefined by a letter. */
const known = new Map<string, string | undefined>();

/**
 * A normal form of a text, in a time that grows with its length only. ICU puts the marks of one letter in order by
 * insertion: a hundred thousand of them take seconds, a million minutes.
 */
export function normalForm(text: string, form: NormalForm): string {
  if (text.length <= MOST_MARKS) return text.normalize(form);
  return text.replace(LONG_RUN, (run) => inOrder(run, form)).normalize(form);
}

/** A run of marks, decomposed, and in canonical order. */
function inOrder(run: string, form: NormalForm): string {
  const ordered: string[] = [];
  const marks = new Map<string, string[]>();
  const endRun = (): void => {
    if (marks.size === 0) return;
    for (const one of classes) ordered.push(marks.get(one)?.join('') ?? '');
    marks.clear();
  };
  for (const written of run) {
    for (const character of written.normalize(form === 'NFC' ? 'NFD' : form)) {
      const one = classOf(character);
      if (one === undefined) {
        endRun();
        ordered.push(character);
      } else {
        const same = marks.get(one);
        if (same === undefined) marks.set(one, [character]);
        else same.push(character);
      }
    }
  }
  endRun();
  return ordered.join('');
}

/** The mark that stands for the class of a decomposed character; undefined if it is in class 0, as letters are. */
function classOf(character: string): string | undefined {
  if (known.has(character)) return known.get(character);
  const one = isMark(character) ? (classes.find((other) => isSame(character, other)) ?? added(character)) : undefined;
  known.set(character, one);
  return one;
}

function added(mark: string): string {
  const at = classes.findIndex((other) => isAfter(other, mark));
  classes.splice(at < 0 ? classes.length : at, 0, mark);
  return mark;
}

const isMark = (character: string): boolean => isAfter(character, LOWEST) || isAfter(HIGHEST, character);

const isSame = (one: string, other: string): boolean => !isAfter(one, other) && !isAfter(other, one);

/** Whether canonical order puts the first, of two decomposed characters, after the second. */
const isAfter = (one: string, other: string): boolean => (one + other).normalize('NFD') !== one + other;
