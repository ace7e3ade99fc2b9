export type NormalForm = 'NFC' | 'NFKD';

/** Stream-Safe text (UAX 15, 13), as all natural text. */
const MOST_MARKS = 30;
/** Includes halfwidth kana voicing marks, which NFKD makes marks. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{31,}/gu;

const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];
/** One mark per class seen, in order. */
const classes: string[] = [];
/** Each mark's representative in `classes`; undefined for a letter. */
const known = new Map<string, string | undefined>();

/** In linear time. ICU sorts marks by insertion: a hundred thousand take seconds, a million minutes. */
export function normalForm(text: string, form: NormalForm): string {
  if (text.length <= MOST_MARKS) return text.normalize(form);
  return text.replace(LONG_RUN, (run) => inOrder(run, form)).normalize(form);
}

/** A run of marks, decomposed, in canonical order. */
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

/** The class's representative; undefined for class 0, as of letters. */
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

/** Compares two decomposed characters by canonical order. */
const isAfter = (one: string, other: string): boolean => (one + other).normalize('NFD') !== one + other;
