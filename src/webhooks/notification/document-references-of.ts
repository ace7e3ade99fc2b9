import { derivedUuid } from '../../kernel/domain/uuid.js';
import { type Declaration, type DeclarationValue, isFileValue } from '../../kernel/domain/event-record.js';
import {
  codeText,
  type ContextInput,
  type ContextMapping,
  DOCUMENT_PREFIX,
  nonEmpty,
  specification,
} from './context-mapping.js';
import type { DocumentReference } from './fhir.js';

interface DeclaredFile {
  readonly fieldId: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly originalFilename: string | undefined;
  /** Only in a list of files. */
  readonly option: string | undefined;
}

/** W-13. */
export function documentReferencesOf(
  { record, files }: ContextInput,
  { persons }: ContextMapping,
  meta: DocumentReference['meta'],
): DocumentReference[] {
  const seen = new Map<string, number>();
  return declaredFiles(record.declaration).map((file) => {
    const place = `${file.fieldId} ${file.path}`;
    const times = seen.get(place) ?? 0;
    seen.set(place, times + 1);
    const id = derivedUuid(record.id, times === 0 ? place : `${place} ${times}`);
    const enclosed = files.get(file.path);
    const code = file.option ?? codeOf(file.fieldId);
    const subject = persons.find(({ role }) => file.fieldId.toUpperCase().includes(role)) ?? persons[0];
    return {
      resourceType: 'DocumentReference',
      id,
      masterIdentifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` },
      status: 'current',
      ...(code !== undefined && { type: { coding: [{ system: specification('supporting-doc-type'), code }] } }),
      content: [
        {
          attachment:
            enclosed === undefined
              ? {
                  ...(file.contentType && { contentType: file.contentType }),
                  url: addressOf(file.path),
                  ...(file.originalFilename && { title: file.originalFilename }),
                }
              : {
                  contentType: enclosed.contentType,
                  data: `data:${enclosed.contentType};base64,${enclosed.bytes.toString('base64')}`,
                },
        },
      ],
      subject: { display: subject.role },
      meta,
    };
  });
}

const declaredFiles = (declaration: Declaration): DeclaredFile[] =>
  Object.entries(declaration)
    .filter(([fieldId]) => fieldId.startsWith(DOCUMENT_PREFIX))
    .flatMap(([fieldId, value]) =>
      (Array.isArray(value) ? (value as readonly DeclarationValue[]) : [value]).flatMap((file) =>
        fileOf(fieldId, file),
      ),
    );

function fileOf(fieldId: string, value: DeclarationValue): DeclaredFile[] {
  if (!isFileValue(value) || nonEmpty(value.path) === undefined) return [];
  // Only trimmed: the store finds files by it.
  const path = value.path.trim();
  return [
    {
      ...{ fieldId, path },
      contentType: codeText(value.type),
      originalFilename: nonEmpty(value.originalFilename),
      option: codeText(value.option),
    },
  ];
}

/** FHIR R4: an address has neither white space nor control characters. */
const addressOf = (path: string): string => path.replace(/[\s\p{Cc}]/gu, (sign) => encodeURIComponent(sign));

/** `PROOF_OF_BIRTH` for `documents.proofOfBirth`; undefined for `documents.`. */
const codeOf = (fieldId: string): string | undefined =>
  codeText(
    fieldId
      .slice(DOCUMENT_PREFIX.length)
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
      .toUpperCase(),
  );
