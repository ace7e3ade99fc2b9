import type { AuthorOption } from '../../domain/scope.js';
import type { LocationField, TextField } from '../../domain/search-request.js';

/**
 * An aspect is the part of a record that is looked at, such as the near words of a name; a mark is a value found there.
 * Both are hashes: an accidental collision makes a record be checked in vain.
 */
export type Aspect = number;

/** An aspect of a record's own fields. */
export const aspectOfText = (field: TextField): Aspect => hashed(BY_TEXT, field);
/** The place itself. */
export const aspectOfPlace = (field: LocationField): Aspect => hashed(AT_PLACE, field);
/** The places around a record's place, itself included. */
export const aspectOfArea = (field: LocationField): Aspect => hashed(AROUND_PLACE, field);
/** The flags of the record. */
export const ASPECT_OF_FLAGS: Aspect = 5;
/** Who declared, registered or notified the record. */
export const aspectOfAuthor = (how: AuthorOption): Aspect => hashed(BY_AUTHOR, how);

const BY_TEXT = 1;
const AT_PLACE = 2;
const AROUND_PLACE = 3;
const BY_AUTHOR = 4;

/** The declaration and all its fields. */
export const DECLARATION = 6;
/** In place of the path of one field: all fields together. */
export const ANY_FIELD = 7;

/** The path of the value at a key of what is at `path`. */
export const pathTo = (path: number, key: string): number => hashed(path, key);

/** Aspects of the value at a path. The texts, numbers and words of names that `exact` and `anyOf` compare. */
export const aspectOfValue = (path: number): Aspect => mixed(path, 0x56414c55);
/** That it is a date range, in which `exact` and `anyOf` may find a day. */
export const aspectOfDateRange = (path: number): Aspect => mixed(path, 0x52414e47);
/** The country of an address, which `exact` and `anyOf` compare with that of an address in a term. */
export const aspectOfCountry = (path: number): Aspect => mixed(path, 0x434f554e);
/** The words that `fuzzy` compares. */
export const aspectOfWords = (path: number): Aspect => mixed(path, 0x574f5244);
/** The place that a value names, for `within`. */
export const aspectOfLocation = (path: number): Aspect => mixed(path, 0x4c4f4341);

/** The mark of a text at an aspect. */
export const markOf = (aspect: Aspect, text: string): number => hashed(aspect, text);

/** The mark of a key from `deletionKeys`. */
export const markOfKey = (aspect: Aspect, key: number): number => mixed(aspect, key);

function hashed(seed: number, text: string): number {
  let hash = seed ^ text.length;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash = (hash << 13) | (hash >>> 19);
  }
  return mixed(hash, seed);
}

/** Makes every bit of both affect every other bit. */
function mixed(one: number, other: number): number {
  let bits = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ other;
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x9e3779b1);
  return (bits ^ (bits >>> 15)) >>> 0;
}
