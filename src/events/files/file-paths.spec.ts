import type { Uuid } from '../../kernel/domain/uuid.js';
import { filePathsOf, filePathsOfActions, isOfEvent } from './file-naming.js';

const file = (path: string, more: object = {}): object => ({ path, type: 'image/png', ...more });

describe('the files of a declaration', () => {
  it('are found wherever they are, each once', () => {
    expect(
      filePathsOf({
        'documents.proof': file('b', { originalFilename: 'b.png' }),
        'documents.list': [file('a', { option: 'BACK' }), file('b')],
        'applicant.signature': file('d'),
        nested: { deeper: [{ deepest: file('c') }] },
        'documents.more': file('e', { pages: 2, cover: file('f') }),
        'documents.untyped': { path: 'g', originalFilename: 'g.png' },
      }),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('are nothing that only looks like one', () => {
    expect(
      filePathsOf({
        text: 'events/1/a.png',
        other: { path: 'a', href: 'c' },
        number: { path: 1, type: 'b' },
        half: { path: 'a' },
        none: null,
      }),
    ).toEqual([]);
    const declaration = { path: 'a', type: 'b', originalFilename: 'c' };
    expect(filePathsOfActions([{ declaration, annotation: declaration, content: null }], declaration)).toEqual([]);
    expect([filePathsOf(null), filePathsOf(undefined), filePathsOf({})]).toEqual([[], [], []]);
  });
});

it('a file is of the event whose path it is in', () => {
  const id = '3f0c1b1e-7c1e-4a53-9a59-0a2f6b0f6f01' as Uuid;
  expect(
    [`events/${id}/a.png`, `events/${id}`, `events/${id}x/a.png`, `uploads/${id}/a.png`].map((path) =>
      isOfEvent(path, id),
    ),
  ).toEqual([true, false, false, false]);
});
